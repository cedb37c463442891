/** `npm run bench` runs all benches; `npm run bench -- upload memory` runs the named ones. What follows a second `--`
 *  goes to the bench: `npm run bench -- recall -- FOLDER`. */
import { benchAttacks } from './attacks/bench.ts'
import { benchBrowserUpload } from './browser-upload.ts'
import { cleaningUp, undoWhenInterrupted } from './cleanup.ts'
import { benchCrowds } from './crowds.ts'
import { benchFoundGrid } from './found-grid.ts'
import { benchFoundPhotos } from './found-photos.ts'
import { benchIndexPhotos } from './index-photos.ts'
import { benchJobs } from './jobs.ts'
import { benchMemory } from './memory.ts'
import { benchPolling } from './poll-calls.ts'
import { benchRecall } from './recall.ts'
import { benchRekognition } from './rekognition.ts'
import { describeMachine } from './report.ts'
import { benchScale } from './scale/bench.ts'
import { printModel } from './scale/model.ts'
import { benchSearchFaces } from './search-faces.ts'
import { benchSelfies } from './selfies.ts'
import { benchUpload } from './upload.ts'
import { benchWeb } from './web.ts'
import { benchZip } from './zip.ts'

const BENCHES: Record<string, (args: string[]) => Promise<void>> = {
  upload: benchUpload,
  index: benchIndexPhotos,
  crowds: () => benchCrowds(),
  jobs: benchJobs,
  search: benchSearchFaces,
  selfie: benchSelfies,
  polling: benchPolling,
  memory: benchMemory,
  browser: benchBrowserUpload,
  web: benchWeb,
  'found-photos': benchFoundPhotos,
  'found-grid': benchFoundGrid,
  zip: benchZip,
  recall: benchRecall,
  rekognition: () => benchRekognition(500),
  'rekognition-full': () => benchRekognition(2_000),
  attacks: benchAttacks,
  scale: benchScale,
  model: printModel,
}

/** Left out when all benches run: one needs a folder, three take long, and the last one measures nothing. */
const ONLY_WHEN_NAMED = ['recall', 'rekognition-full', 'attacks', 'scale', 'model']

const words = process.argv.slice(2)
const end = words.includes('--') ? words.indexOf('--') : words.length
const asked = words.slice(0, end)
const args = words.slice(end + 1)
const unknown = asked.filter((name) => !(name in BENCHES))
if (unknown.length > 0) {
  console.error(`Unknown bench: ${unknown.join(', ')}. The benches are: ${Object.keys(BENCHES).join(', ')}.`)
  process.exit(1)
}

undoWhenInterrupted()
console.log(describeMachine())
for (const name of asked.length > 0
  ? asked
  : Object.keys(BENCHES).filter((name) => !ONLY_WHEN_NAMED.includes(name))) {
  console.log()
  await cleaningUp(() => BENCHES[name]!(args))
}

/** `npm run bench` runs all benches; `npm run bench -- upload zip` runs the named ones. What follows a second `--`
 *  goes to the bench: `npm run bench -- recall -- FOLDER`. */
import { benchAttacks } from './attacks/bench.ts'
import { cleaningUp, undoWhenInterrupted } from './cleanup.ts'
import { benchFoundGrid } from './found-grid.ts'
import { benchIndexPhotos } from './index-photos.ts'
import { benchPolling } from './poll-calls.ts'
import { benchRecall } from './recall.ts'
import { benchRekognition } from './rekognition.ts'
import { describeMachine } from './report.ts'
import { benchScale } from './scale/bench.ts'
import { benchSearchFaces } from './search-faces.ts'
import { benchSelfies } from './selfies.ts'
import { benchUpload } from './upload.ts'
import { benchWeb } from './web.ts'
import { benchZip } from './zip.ts'

const BENCHES: Record<string, (args: string[]) => Promise<void>> = {
  upload: benchUpload,
  index: benchIndexPhotos,
  search: benchSearchFaces,
  selfie: benchSelfies,
  polling: benchPolling,
  web: benchWeb,
  'found-grid': benchFoundGrid,
  zip: benchZip,
  recall: benchRecall,
  rekognition: benchRekognition,
  attacks: benchAttacks,
  scale: benchScale,
}

/** Left out when all benches run: one needs a folder, the others take long. */
const ONLY_WHEN_NAMED = ['recall', 'attacks', 'scale']

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

/** `npm run bench` runs most benches; `npm run bench -- upload zip` runs the named ones. What follows a second `--` goes to
 *  the bench, such as a size: `npm run bench -- upload -- 30`. */
import { benchAttacks } from './attacks/bench.ts'
import { benchDesk } from './desk.ts'
import { benchFoundGrid } from './found-grid.ts'
import { benchIndex } from './index.ts'
import { benchPolling } from './polling.ts'
import { benchRecall } from './recall/bench.ts'
import { benchRekognition } from './rekognition.ts'
import { describeMachine } from './report.ts'
import { benchScale } from './scale/bench.ts'
import { benchSearch } from './search.ts'
import { benchSelfie } from './selfie.ts'
import { benchStart } from './start.ts'
import { undoAll } from './undo.ts'
import { benchUpload } from './upload.ts'
import { benchWeb } from './web.ts'
import { benchZip } from './zip.ts'

const BENCHES: Record<string, (args: string[]) => Promise<void>> = {
  start: benchStart,
  upload: benchUpload,
  index: benchIndex,
  search: benchSearch,
  selfie: benchSelfie,
  polling: benchPolling,
  web: benchWeb,
  'found-grid': benchFoundGrid,
  desk: benchDesk,
  zip: benchZip,
  rekognition: benchRekognition,
  recall: benchRecall,
  attacks: benchAttacks,
  scale: benchScale,
}

/** Left out when all benches run: one needs a folder, the others take long. */
const ONLY_WHEN_NAMED = ['recall', 'attacks', 'scale', 'desk']

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, async () => {
    console.error('\nInterrupted. Stopping the servers and removing temporary files.')
    await undoAll()
    process.exit(130)
  })

const words = process.argv.slice(2)
const end = words.includes('--') ? words.indexOf('--') : words.length
const byDefault = Object.keys(BENCHES).filter((name) => !ONLY_WHEN_NAMED.includes(name))
const names = end > 0 ? words.slice(0, end) : byDefault
console.log(describeMachine())
try {
  for (const name of names) {
    if (!BENCHES[name])
      throw new Error(`There is no bench ${name}. There are: ${Object.keys(BENCHES).join(', ')}.`)
    console.log()
    await BENCHES[name](words.slice(end + 1))
    await undoAll()
  }
} finally {
  await undoAll()
}

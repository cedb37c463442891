import { availableParallelism } from 'node:os'
import { loadFaceEngine } from '../../src/faces/embedded/networks/engine.ts'
import { createFaceWorkers } from '../../src/faces/embedded/networks/face-workers.ts'
import { createLog } from '../../src/log.ts'
import { samplePhotos } from '../../src/testing/sample-photos.ts'
import { grainyPictures } from './photos.ts'
import { type Cost, costOf, type Line, median, printLines } from './report.ts'
import { processorMs } from './service.ts'
import { undoLater } from './undo.ts'

/** Measures how many photos a second are described, each with its preview, as an indexing job does it. The upload, which
 *  decodes a photo once more to check it, is in the bench of the upload. The engine has one process per core; the
 *  yardstick is one engine in this thread that takes one photo after another and makes no preview. Both take turns on the
 *  same six photos. */
export async function benchIndex([runs = '5']: string[]): Promise<void> {
  const cores = availableParallelism()
  const { engine } = await loadFaceEngine()
  const workers = createFaceWorkers({ log: createLog('warn'), size: cores })
  undoLater(() => workers.close())
  await workers.start()
  const together = (photos: Buffer[]) =>
    Promise.all(photos.map((one) => workers.describePhoto(one, { withPreview: true })))
  const alone = async (photos: Buffer[]) => {
    for (const one of photos) await engine.describePhoto(one)
  }
  const sizes = { '1,920 pixels': samplePhotos(), '4,000 to 6,000 pixels': await grainyPictures() }
  const lines: Line[] = []
  for (const [size, photos] of Object.entries(sizes)) {
    // Each process gets twice as many photos as the yardstick, so that cores idle at the end matter little.
    const many = Array.from({ length: cores * 2 }, () => photos).flat()
    const [ours, theirs]: [Cost[], Cost[]] = [[], []]
    // The first run only warms up.
    for (let run = 0; run <= Number(runs); run++) {
      ours[run - 1] = await measured(many, together)
      theirs[run - 1] = await measured(photos, alone)
    }
    lines.push(
      {
        what: size,
        measured: of(ours, 'perSecond'),
        yardstick: of(theirs, 'perSecond') * cores,
        unit: 'photos/s',
      },
      {
        what: '    processor time of each',
        measured: of(ours, 'processor'),
        yardstick: of(theirs, 'processor'),
        unit: 'ms',
      },
    )
  }
  printLines(`Indexing on ${cores} cores`, `${cores} × one engine`, lines)
}

const of = (runs: Cost[], what: keyof Cost) => median(runs.map((run) => run[what]))

const measured = (photos: Buffer[], work: (photos: Buffer[]) => Promise<unknown>) =>
  costOf(
    photos.length,
    () => processorMs(process.pid),
    () => work(photos),
  )

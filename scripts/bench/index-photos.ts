import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { createFaceWorkers } from '../../src/faces/embedded/networks/face-workers.ts'
import { loadFaceEngine } from '../../src/faces/embedded/networks/load-engine.ts'
import { createLog } from '../../src/log.ts'
import { processorMsOf } from '../../src/processes/process-figures.ts'
import { grainyPictures, smallPictures } from './photos.ts'

const RUNS = 5

/** Measures how many photos a second are described, each with its preview, as an indexing job does it. The upload, which
 *  decodes a photo once more to check it, is in the bench of the upload. Our engine has one process per core; the
 *  yardstick is one engine in this thread that takes one photo after another and makes no preview. Both take turns on the
 *  same six photos. */
export async function benchIndexPhotos(): Promise<void> {
  const cores = availableParallelism()
  const { engine } = await loadFaceEngine()
  const workers = createFaceWorkers({ log: createLog('warn'), size: cores })
  await workers.start()
  const describe = {
    ours: (photos: Buffer[]) =>
      Promise.all(photos.map((one) => workers.describePhoto(one, { withPreview: true }))),
    async alone(photos: Buffer[]) {
      for (const one of photos) await engine.describeFaces(one)
    },
  }
  try {
    console.log(`Indexing with previews, without the upload, ${cores} cores, ${RUNS} runs`)
    await compare('Photos of 1,920 pixels', smallPictures(), describe)
    await compare('Photos of cameras', await grainyPictures(), describe)
  } finally {
    await workers.close()
  }
}

/** Prints medians (lowest–highest). The first run only warms up. */
async function compare(
  name: string,
  photos: Buffer[],
  describe: Record<'ours' | 'alone', (photos: Buffer[]) => Promise<unknown>>,
): Promise<void> {
  const cores = availableParallelism()
  // Each process gets twice as many photos as the yardstick, so that cores idle at the end matter little.
  const many = Array.from({ length: cores * 2 }, () => photos).flat()
  const ours: Speed[] = []
  const alone: Speed[] = []
  for (let run = 0; run <= RUNS; run++) {
    ours.push(await measure(many, describe.ours))
    alone.push(await measure(photos, describe.alone))
  }
  ours.shift()
  alone.shift()
  const ratios = ours.map((speed, run) => speed.perSecond / alone[run]!.perSecond / cores)
  console.log(`${name}, ${photos.map(({ length }) => (length / 1e6).toFixed(1)).join(', ')} MB:`)
  console.log(`  our processes                ${speedOf(ours)}`)
  console.log(`  one engine, in this thread   ${speedOf(alone)}`)
  console.log(`  ours ÷ (cores × one engine)  ${spread(ratios)}`)
}

interface Speed {
  perSecond: number
  /** Processor seconds for a photo; unlike the speed, it does not depend on other programs. */
  processor: number
}

async function measure(photos: Buffer[], work: (photos: Buffer[]) => Promise<unknown>): Promise<Speed> {
  const start = performance.now()
  const before = processorMs()
  await work(photos)
  return {
    perSecond: (photos.length * 1_000) / (performance.now() - start),
    processor: (processorMs() - before) / 1_000 / photos.length,
  }
}

/** The processor time of this process and its children. */
function processorMs(): number {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8')
  return [process.pid, ...children.split(' ').filter(Boolean).map(Number)]
    .map(processorMsOf)
    .reduce((sum, ms) => sum + ms)
}

function speedOf(speeds: Speed[]): string {
  const perSecond = spread(speeds.map((speed) => speed.perSecond))
  return `${perSecond} photos/s, ${spread(speeds.map((speed) => speed.processor))} processor s a photo`
}

function spread(values: number[]): string {
  const sorted = values.toSorted((one, other) => one - other)
  const median = sorted[Math.floor(sorted.length / 2)]!
  return `${median.toFixed(2)} (${sorted[0]!.toFixed(2)}–${sorted.at(-1)!.toFixed(2)})`
}

if (import.meta.main) await benchIndexPhotos()

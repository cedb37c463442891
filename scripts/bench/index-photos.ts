import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { createFaceWorkers } from '../../src/faces/embedded/networks/face-workers.ts'
import { readPixels } from '../../src/faces/embedded/networks/pixels.ts'
import { PREVIEW_SIDE } from '../../src/faces/preview.ts'
import { createLog } from '../../src/log.ts'
import { processorMsOf } from '../../src/processes/process-figures.ts'
import { grainyPictures, smallPictures } from './photos.ts'
import { loadPlainFaceApi } from './plain-face-api.ts'

const RUNS = 5

/** Measures how many photos a second are described, each with its preview, as an indexing job does it. The upload, which
 *  decodes a photo once more to check it, is in the bench of the upload. Our engine has one process per core; the
 *  yardstick is a plain program with face-api that takes one photo after another in one thread and makes no preview. Both
 *  take turns on the same six photos, decoded by the same code. */
export async function benchIndexPhotos(): Promise<void> {
  const cores = availableParallelism()
  const plain = await loadPlainFaceApi()
  const workers = createFaceWorkers({ log: createLog('warn'), size: cores })
  await workers.start()
  const describe = {
    ours: (photos: Buffer[]) =>
      Promise.all(photos.map((one) => workers.describePhoto(one, { withPreview: true }))),
    async plain(photos: Buffer[]) {
      for (const one of photos) await plain.describe(await readPixels(one, PREVIEW_SIDE))
    },
  }
  try {
    console.log(`Indexing with previews, without the upload, ${cores} cores, ${RUNS} runs`)
    await compare('Photos of 1,920 pixels', smallPictures(), describe, 4)
    await compare('Photos of cameras', await grainyPictures(), describe, 2.5)
  } finally {
    await workers.close()
  }
}

/** Prints medians (lowest–highest). The first run only warms up.
 *  @param aim for our speed ÷ (cores × the yardstick's speed) */
async function compare(
  name: string,
  photos: Buffer[],
  describe: Record<'ours' | 'plain', (photos: Buffer[]) => Promise<unknown>>,
  aim: number,
): Promise<void> {
  const cores = availableParallelism()
  // Each process gets twice as many photos as the yardstick, so that cores idle at the end matter little.
  const many = Array.from({ length: cores * 2 }, () => photos).flat()
  const ours: Speed[] = []
  const plain: Speed[] = []
  for (let run = 0; run <= RUNS; run++) {
    ours.push(await measure(many, describe.ours))
    plain.push(await measure(photos, describe.plain))
  }
  ours.shift()
  plain.shift()
  const ratios = ours.map((speed, run) => speed.perSecond / plain[run]!.perSecond / cores)
  console.log(`${name}, ${photos.map(({ length }) => (length / 1e6).toFixed(1)).join(', ')} MB:`)
  console.log(`  our processes                ${speedOf(ours)}`)
  console.log(`  plain face-api, one thread   ${speedOf(plain)}`)
  console.log(`  ours ÷ (cores × plain)       ${spread(ratios)}   aim: at least ${aim}`)
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

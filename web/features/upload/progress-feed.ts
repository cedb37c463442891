import { createPaceMeter, type Pace } from './pace.ts'
import type { UploadProgress } from './upload-state.ts'

/** Ms between two changes of what the page shows. Browsers report progress every 50 ms. */
const SHOWN_EVERY_MS = 250
/** Ms between two changes of the pace: people need time to read it. */
const PACE_EVERY_MS = 2_000

export interface Shown {
  progress: UploadProgress
  pace: Pace | null
}

export interface ProgressFeed {
  update(progress: UploadProgress): void
  /** Nothing is being sent for a while. */
  skip(): void
}

/** Shows progress no more often than people can read it. A change in the number of photos is shown at once. */
export function createProgressFeed(show: (shown: Shown) => void, now = () => Date.now()): ProgressFeed {
  const meter = createPaceMeter()
  let shownAt = Number.NEGATIVE_INFINITY
  let pacedAt = Number.NEGATIVE_INFINITY
  let photosShown = -1
  let pace: Pace | null = null

  return {
    update(progress) {
      const at = now()
      const fresh = meter.read(progress.bytesSent, progress.bytesTotal, at)
      if (fresh && at - pacedAt >= PACE_EVERY_MS) {
        pace = fresh
        pacedAt = at
      }
      if (at - shownAt < SHOWN_EVERY_MS && progress.photosDone === photosShown) return
      shownAt = at
      photosShown = progress.photosDone
      show({ progress, pace })
    },
    skip: () => meter.skip(),
  }
}

/** Seconds after which a measurement counts only about a third. */
export const FORGET_SECONDS = 120
/** Without a settled photo for longer, indexing has paused: the engine is unavailable, works for many other albums,
 *  or has nothing to do. */
export const PAUSE_SECONDS = 60
/** Less than this is too little to measure a pace. */
const MEASURED = { photos: 3, seconds: 10 }

/** An album's measurement. All are null before its first photos are settled. */
export interface SettlingRow {
  /** Photos that were settled recently, and the seconds that this took. The older, the less they count. */
  recently_settled: number | null
  recent_seconds: number | null
  /** Seconds since photos were settled last. */
  seconds_since_settled: number | null
}

/** How fast the photos of an album are settled, by all processes together.
 *  @returns photos a second; null while too little is known, and during a pause */
export function paceOf({
  recently_settled: photos,
  recent_seconds: seconds,
  seconds_since_settled: silence,
}: SettlingRow): number | null {
  if (photos === null || seconds === null || silence === null) return null
  if (silence > PAUSE_SECONDS || photos < MEASURED.photos || seconds < MEASURED.seconds) return null
  return photos / seconds
}

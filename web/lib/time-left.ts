import { timeLeft as texts } from '../../src/texts/english/album-progress.ts'

/** 'about 3 minutes left'. Steps are coarse, so that the text does not change all the time. */
export function timeLeft(seconds: number): string {
  if (seconds < 10) return texts.fewSeconds
  if (seconds < 55) return texts.seconds(Math.ceil(seconds / 10) * 10)
  const minutes = Math.ceil(seconds / 60)
  if (minutes < 60) return texts.minutes(minutes)
  return texts.hours(Math.round(minutes / 30) / 2)
}

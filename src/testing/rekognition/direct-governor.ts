import type { Governor } from '../../faces/rekognition/governor.ts'

/** Makes each call immediately and without retries, for tests that are not about quotas. */
export const DIRECT: Governor = {
  run: (_lane, call) => call(new AbortController().signal),
  close: async () => {},
}

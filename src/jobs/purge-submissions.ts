import { queues } from '../queues/queues.ts'
import { purgeSubmissions } from '../search/submission-retention.ts'
import { defineHandler } from './define-handler.ts'

/** Keeps the promise that a selfie is deleted within five minutes, whatever has crashed meanwhile. */
export const purgeSubmissionsEveryMinute = defineHandler(queues.purgeSubmissions, {
  handle: (deps) => purgeSubmissions(deps),
})

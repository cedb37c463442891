import { refuseLongWaiting } from '../opt-outs/change-opt-out.ts'
import { makeOptOutsPermanent } from '../opt-outs/make-permanent.ts'
import { queues } from '../queues/queues.ts'
import { defineHandler } from './define-handler.ts'

/** Erases the faces of guests who opted out 72 hours ago, and ends opt-outs that have waited too long. */
export const makeOptOutsPermanentInTime = defineHandler(queues.makeOptOutsPermanent, {
  async handle(deps) {
    await makeOptOutsPermanent(deps)
    await refuseLongWaiting(deps)
  },
})

import { forgetCallers } from '../opt-outs/queries.ts'
import { eraseOptOuts } from '../opt-outs/undo-or-erase.ts'
import { queues } from '../queues/queues.ts'
import { defineHandler } from './define-handler.ts'

/** Erases the faces of guests who opted out 72 hours ago, and forgets where guests called from. */
export const eraseOptOutsInTime = defineHandler(queues.eraseOptOuts, {
  async handle(deps) {
    await eraseOptOuts(deps)
    await forgetCallers(deps.db)
  },
})

import { lookForNews } from '../alerts/look-for-news.ts'
import { dueAlerts } from '../alerts/queries.ts'
import { removeEndedAlerts } from '../alerts/remove-alerts.ts'
import { queues } from '../queues/queues.ts'
import { defineHandler } from './define-handler.ts'

/** Deletes what was kept for guests whose letters have ended, and sends a job for each guest who may get one now. */
export const lookForNewsEveryMinute = defineHandler(queues.lookForNews, {
  async handle(deps) {
    await removeEndedAlerts(deps)
    const due = await dueAlerts(deps.db)
    await deps.db.transaction().execute(async (trx) => {
      await deps.jobs.send(
        trx,
        queues.lookForPhotos,
        due.map((alertId) => ({ alertId })),
      )
    })
  },
})

export const lookForPhotos = defineHandler(queues.lookForPhotos, {
  handle: (deps, { alertId }) => lookForNews(deps, alertId),
})

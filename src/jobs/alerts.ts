import { z } from 'zod'
import { lookForNews as lookForNewsOf } from '../alerts/look-for-news.ts'
import { dueAlerts } from '../alerts/queries.ts'
import { removeEndedAlerts } from '../alerts/remove-alerts.ts'
import { definePeriodicQueue, defineQueue } from './define-queue.ts'

/** Deletes what was kept for guests whose letters have ended, and sends a job for each guest who may get one now. */
export const lookForNews = definePeriodicQueue('look-for-news', '* * * * *', async (deps) => {
  await removeEndedAlerts(deps)
  const due = (await dueAlerts(deps.db)).map((alertId) => ({ alertId }))
  await deps.db.transaction().execute((trx) => deps.jobs.send(trx, 'look-for-photos', due))
})

/** Looks for new photos of a guest who waits for a letter. */
export const lookForPhotos = defineQueue({
  name: 'look-for-photos',
  payload: z.object({ alertId: z.uuid() }),
  policy: 'exclusive',
  handle: (deps, { alertId }) => lookForNewsOf(deps, alertId),
})

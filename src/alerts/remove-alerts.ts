import type { AppContext } from '../context.ts'
import type { Trx } from '../database/client.ts'
import { detachLetters } from '../letters/queries.ts'
import { sendJobs } from '../letters/request.ts'
import { deleteAlerts, endedAlerts } from './queries.ts'

const AT_ONCE = 100

/** Deletes alerts. Their letters leave the outbox. */
export async function removeAlerts(
  trx: Trx,
  deps: Pick<AppContext, 'jobs' | 'keyring'>,
  alerts: { id: string }[],
): Promise<void> {
  if (alerts.length === 0) return
  const alertIds = alerts.map(({ id }) => id)
  await sendJobs(trx, deps, await detachLetters(trx, { alertIds }))
  await deleteAlerts(trx, alertIds)
}

/** Deletes the alerts that have ended: after their time, or because nobody has confirmed them. */
export async function removeEndedAlerts(deps: Pick<AppContext, 'db' | 'jobs' | 'keyring'>): Promise<void> {
  for (;;) {
    const ended = await endedAlerts(deps.db, AT_ONCE)
    await deps.db.transaction().execute((trx) => removeAlerts(trx, deps, ended))
    if (ended.length < AT_ONCE) return
  }
}

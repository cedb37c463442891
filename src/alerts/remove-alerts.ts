import type { Db } from '../database/client.ts'
import { detachLetters, lettersOfAlerts } from '../letters/queries.ts'
import type { KeptLetters } from '../mail/outbox.ts'
import { deleteAlerts, endedAlerts } from './alert-queries.ts'

interface Deps {
  db: Db
  outbox: KeptLetters
}

const AT_ONCE = 100

/** Deletes alerts, and their letters that are in the outbox. These come first, so that a call that fails is repeated.
 *  @throws AppError SERVICE_UNAVAILABLE while the outbox cannot be changed */
export async function removeAlerts({ db, outbox }: Deps, alerts: { id: string }[]): Promise<void> {
  if (alerts.length === 0) return
  const alertIds = alerts.map(({ id }) => id)
  await outbox.remove(await lettersOfAlerts(db, alertIds))
  await db.transaction().execute(async (trx) => {
    await detachLetters(trx, { alertIds })
    await deleteAlerts(trx, alertIds)
  })
}

/** Deletes the alerts that have ended: after their time, or because nobody has confirmed them. */
export async function removeEndedAlerts(deps: Deps): Promise<void> {
  for (;;) {
    const ended = await endedAlerts(deps.db, AT_ONCE)
    await removeAlerts(deps, ended)
    if (ended.length < AT_ONCE) return
  }
}

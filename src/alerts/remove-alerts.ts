import type { Db } from '../database/client.ts'
import type { PhotoAlert } from '../database/schema.ts'
import type { KeptLetters } from '../mail/outbox.ts'
import { deleteAlerts, endedAlerts } from './alert-queries.ts'

interface Deps {
  db: Db
  outbox: KeptLetters
}

const AT_ONCE = 100

/** Deletes alerts, and their letters that are in the outbox. The letters come first: their ids are in the rows.
 *  @throws AppError SERVICE_UNAVAILABLE while the outbox cannot be changed */
export async function removeAlerts(
  { db, outbox }: Deps,
  alerts: Pick<PhotoAlert, 'id' | 'letter_ids'>[],
): Promise<void> {
  if (alerts.length === 0) return
  await outbox.remove(alerts.flatMap(({ letter_ids }) => letter_ids))
  await deleteAlerts(
    db,
    alerts.map(({ id }) => id),
  )
}

/** Deletes the alerts that have ended: after their time, or because nobody has confirmed them. */
export async function removeEndedAlerts(deps: Deps): Promise<void> {
  for (;;) {
    const ended = await endedAlerts(deps.db, AT_ONCE)
    await removeAlerts(deps, ended)
    if (ended.length < AT_ONCE) return
  }
}

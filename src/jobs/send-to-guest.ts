import { findAlert } from '../alerts/alert-queries.ts'
import { removeAlerts } from '../alerts/remove-alerts.ts'
import type { Letter } from '../mail/mailer.ts'
import type { JobDeps } from './define-handler.ts'
import { sendOrGiveUp } from './send-or-give-up.ts'

/** Sends a letter to a guest who has asked for letters about new photos. When the address is refused permanently, all that
 *  was kept for the guest is deleted. */
export async function sendToGuest(
  deps: JobDeps,
  alertId: string,
  letter: Letter,
  attempt: number,
): Promise<void> {
  const isSent = await sendOrGiveUp(deps, letter, { alertId }, attempt)
  const alert = await findAlert(deps.db, alertId)
  // The guest may have ended the letters while this one was being sent.
  if (isSent && !alert) await deps.outbox.remove([letter.id])
  if (!isSent && alert) await removeAlerts(deps, [alert])
}

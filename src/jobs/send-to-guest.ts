import { findAlert } from '../alerts/alert-queries.ts'
import { removeAlerts } from '../alerts/remove-alerts.ts'
import { hasCode } from '../errors.ts'
import type { Letter } from '../mail/mailer.ts'
import { saveRefusedAddress } from '../mail/recipient-queries.ts'
import { hashAddress } from '../mail/recipients.ts'
import type { JobDeps } from './define-handler.ts'

/** Sends a letter to a guest who has asked for letters about new photos. When the address is refused permanently, all that
 *  was kept for the guest is deleted. */
export async function sendToGuest(deps: JobDeps, alertId: string, letter: Letter): Promise<void> {
  try {
    await deps.mailer.send(letter)
  } catch (error) {
    if (!hasCode(error, 'UNPROCESSABLE_CONTENT')) throw error
    deps.log.warn({ alertId, err: error }, 'A letter to a guest cannot be delivered and is given up')
    await saveRefusedAddress(deps.db, hashAddress(deps.keyring, letter.to))
    const alert = await findAlert(deps.db, alertId)
    if (alert) await removeAlerts(deps, [alert])
    return
  }
  // The guest may have ended the letters while this one was being sent.
  if (!(await findAlert(deps.db, alertId))) await deps.outbox.remove([letter.id])
}

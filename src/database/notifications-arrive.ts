import { once } from 'node:events'
import { type DatabaseAddress, withConnection } from './client.ts'

/** Whether a connection hears what another one announces. A pooler in transaction mode, such as PgBouncer's, drops it.
 *  @param ms to wait for it */
export async function notificationsArrive(address: DatabaseAddress, ms = 2_000): Promise<boolean> {
  return await withConnection(address, (listener) =>
    withConnection(address, async (other) => {
      await listener.query('listen inframe_doctor')
      const heard = once(listener, 'notification', { signal: AbortSignal.timeout(ms) })
      await other.query('notify inframe_doctor')
      return await heard.then(
        () => true,
        () => false,
      )
    }),
  )
}

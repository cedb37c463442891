import { EventEmitter, once } from 'node:events'
import type { PgBoss } from 'pg-boss'
import type { Log } from '../log.ts'
import { CHANNEL } from './notification-queries.ts'

type Listening = { close(): Promise<void> } | undefined

/** How a process gets the announcements of other processes. */
export interface Notifications {
  /** Asks at once, again whenever the key is announced, and a last time when the signal aborts.
   *  @returns the first answer; undefined when there is none in the end
   *  @throws what `ask` throws */
  waitFor<Answer>(
    key: string,
    ask: () => Promise<Answer | undefined>,
    signal: AbortSignal,
  ): Promise<Answer | undefined>
  close(): Promise<void>
}

/** Uses pg-boss's connection for notifications, which reconnects by itself. It is opened by the first wait, because
 *  a process that runs jobs only never waits. */
export function createNotifications(boss: PgBoss, log: Log): Notifications {
  const announced = new EventEmitter().setMaxListeners(0)
  let listening: Promise<Listening> | undefined

  /** Announcements were missed while the connection was lost, so every wait asks again. */
  function wakeAll(): void {
    for (const key of announced.eventNames()) announced.emit(key)
  }

  async function listen(): Promise<Listening> {
    try {
      return await boss.getDb().listen?.(CHANNEL, (key) => announced.emit(key), wakeAll)
    } catch (error) {
      // Without notifications, the last question gets the answer.
      log.warn({ err: error }, 'Notifications of the database are unavailable')
      listening = undefined
      return undefined
    }
  }

  return {
    async waitFor(key, ask, signal) {
      listening ??= listen()
      await listening
      const done = new AbortController()
      const stop = AbortSignal.any([signal, done.signal])
      try {
        for (;;) {
          const next = once(announced, key, { signal: stop }).catch(() => 'stopped')
          const answer = await ask()
          if (answer !== undefined || stop.aborted) return answer
          await next
        }
      } finally {
        done.abort()
      }
    },
    async close() {
      const handle = await listening
      await handle?.close()
    },
  }
}

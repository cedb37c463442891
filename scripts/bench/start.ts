import buildWeb from '../../web/e2e/built-web.ts'
import { median, printLines } from './report.ts'
import { dataFolder, type Running, start } from './service.ts'

/** Measures how soon the service is ready: with its own Postgres, for the first time in an empty folder, and after it was
 *  killed. The yardstick is a start after it was stopped. */
export async function benchStart([runs = '3']: string[]): Promise<void> {
  await buildWeb()
  const times: Record<'first' | 'stopped' | 'killed', number[]> = { first: [], stopped: [], killed: [] }
  for (let run = 0; run < Number(runs); run++) {
    const env = { DATA_DIR: await dataFolder(), PORT: '0' }
    const timed = async (kind: keyof typeof times): Promise<Running> => {
      const began = performance.now()
      const service = await start('all', env)
      times[kind].push(performance.now() - began)
      return service
    }
    await (await timed('first')).stop()
    const { child, stop } = await timed('stopped')
    child.kill('SIGKILL')
    await stop()
    await (await timed('killed')).stop()
  }
  const yardstick = median(times.stopped)
  printLines('Ready after', 'a start after a stop', [
    { what: 'the first start', measured: median(times.first), yardstick, unit: 'ms' },
    { what: 'a start after SIGKILL', measured: median(times.killed), yardstick, unit: 'ms' },
  ])
}

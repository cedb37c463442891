import { ADMIN_TOKEN } from './site.ts'

/** Ms for which /metrics reuses what it has read from the database, and a little more. */
export const READING_MS = 5_200

/** The figures of `/metrics` that have no labels. */
export async function readMetrics(url: string): Promise<Map<string, number>> {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } })
  const text = await response.text()
  if (!response.ok) throw new Error(`/metrics was answered with ${response.status}`)
  return new Map([...text.matchAll(/^(\w+) ([\d.e+-]+)$/gm)].map(([, name, value]) => [name!, Number(value)]))
}

/** The longest time in ms for which the process's main thread did not look for other work while `work` ran. */
export async function longestBlock(url: string, work: () => Promise<void>): Promise<number> {
  // The first call starts the measurement, and every call starts it again.
  await readMetrics(url)
  await work()
  return (await readMetrics(url)).get('nodejs_eventloop_lag_max_seconds')! * 1_000
}

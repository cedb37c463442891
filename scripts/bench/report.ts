import { availableParallelism, cpus } from 'node:os'

/** A measured figure. */
export interface Line {
  what: string
  measured: number
  /** The same figure under easy conditions, or of the simplest program that does the same. */
  yardstick?: number | undefined
  unit: string
  /** What it may be at most. */
  aim?: number | undefined
}

export const describeMachine = () =>
  `${availableParallelism()} cores, ${cpus()[0]?.model ?? 'CPU unknown'}, Node ${process.version}`

/** Prints what was measured, its yardstick, the first as a multiple of the second, and whether each aim is met. */
export function printLines(title: string, yardstick: string, lines: Line[]): void {
  printTable(
    [title, 'measured', yardstick, 'ratio', 'aim', ''],
    lines.map(({ what, measured, yardstick: easy, unit, aim }) => [
      what,
      show(measured, unit),
      easy === undefined ? '' : show(easy, unit),
      easy ? figure(measured / easy) : '',
      aim === undefined ? '' : show(aim, unit),
      aim === undefined ? '' : measured <= aim ? 'met' : 'MISSED',
    ]),
  )
}

/** Two lines: the ms within which half of the answers came, and 95% of them or another share.
 *  @param aim of the second */
export function waits(
  what: string,
  times: number[],
  yardsticks?: number[],
  aim?: number,
  most = 0.95,
): Line[] {
  const line = (share: number) => {
    const yardstick = yardsticks && at(yardsticks, share)
    return { what: `${what}, ${share * 100}% within`, measured: at(times, share), yardstick, unit: 'ms' }
  }
  return [line(0.5), { ...line(most), aim }]
}

/** Prints a table, with its first column aligned to the left and the others to the right. */
export function printTable(header: string[], rows: string[][]): void {
  const widths = header.map((_, column) =>
    Math.max(...[header, ...rows].map((row) => row[column]?.length ?? 0)),
  )
  const padded = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)
  for (const row of [header, ...rows]) console.log(`  ${row.map(padded).join('   ').trimEnd()}`)
}

const show = (value: number, unit: string) =>
  `${Number.isInteger(value) ? count(value) : figure(value)} ${unit}`

/** A number with three significant digits. */
export const figure = (value: number) => (value >= 100 ? count(Math.round(value)) : value.toPrecision(3))

/** A whole number as text. */
export const count = (value: number) => value.toLocaleString('en')

/** The value that this share of them does not exceed; NaN when there is none. */
export function at(values: number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

export const median = (values: number[]) => at(values, 0.5)

export async function msOf(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}

/** Does something several times, one after the other. @returns the ms of each */
export async function timesOf(count: number, work: (index: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let done = 0; done < count; done++) times.push(await msOf(() => work(done)))
  return times
}

/** What a piece of work has cost. Processor time does not depend on other programs as elapsed time does. */
export interface Cost {
  perSecond: number
  /** Ms of processor time for one of them. */
  processor: number
}

/** @param processorMs the processor time until now
 *  @param work handles `count` things */
export async function costOf(
  count: number,
  processorMs: () => number,
  work: () => Promise<unknown>,
): Promise<Cost> {
  const before = processorMs()
  const ms = await msOf(work)
  return { perSecond: (count * 1_000) / ms, processor: (processorMs() - before) / count }
}

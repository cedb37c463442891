import { figure, printTable } from '../report.ts'

/** A measured figure. */
export interface Line {
  what: string
  measured: number
  /** The same figure under easy conditions. */
  yardstick?: number
  unit: 'ms' | 's' | 'MB' | 'KB' | 'photos' | 'selfies' | 'guests' | 'times' | 'searches/s'
  /** What it may be at most. */
  aim?: number
}

/** Prints what was measured, what is aimed at, and whether each aim is met. */
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

function show(value: number, unit: Line['unit']): string {
  return `${Number.isInteger(value) ? count(value) : figure(value)} ${unit}`
}

/** A whole number as text. */
export const count = (value: number) => value.toLocaleString('en')

/** The value that this share of them does not exceed; NaN when there is none. */
export function at(values: number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

/** Does something several times, one after the other. @returns the ms of each */
export async function timesOf(count: number, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let done = 0; done < count; done++) {
    const begin = performance.now()
    await work()
    times.push(performance.now() - begin)
  }
  return times
}

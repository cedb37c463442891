import { availableParallelism, cpus } from 'node:os'

/** A figure beside its yardstick. */
export interface Comparison {
  what: string
  measured: number
  yardstick: number
  show: (value: number) => string
}

export function describeMachine(): string {
  return `${availableParallelism()} cores, ${cpus()[0]?.model ?? 'CPU unknown'}, Node ${process.version}`
}

/** Each figure, its yardstick, and the first as a multiple of the second. */
export function printComparisons(header: [string, string, string], comparisons: Comparison[]): void {
  printTable(
    [...header, 'ratio'],
    comparisons.map(({ what, measured, yardstick, show }) => [
      what,
      show(measured),
      show(yardstick),
      figure(measured / yardstick),
    ]),
  )
}

/** Prints a table, with its first column aligned to the left and the others to the right. */
export function printTable(header: string[], rows: string[][]): void {
  const widths = header.map((_, column) =>
    Math.max(...[header, ...rows].map((row) => row[column]?.length ?? 0)),
  )
  for (const row of [header, ...rows])
    console.log(
      `  ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join('   ')}`,
    )
}

/** A number with three significant digits. */
export function figure(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3)
}

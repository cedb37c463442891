import { deskGuests as texts } from '../../../../src/texts/english/desk/desk-guests.ts'
import { digits } from '../../../../src/texts/numbers.ts'
import { formatDate, formatMoment } from '../../../lib/format.ts'
import type { Period } from './periods.ts'

/** Units of the drawing. */
const HEIGHT = 100
const STEP = 10
const BAR = 7

/** The guests by hour or by day: how many entered, and in front of that how many found photos. A table has the same. */
export function GuestsChart({ periods, isDaily }: { periods: readonly Period[]; isDaily: boolean }) {
  const most = Math.max(1, ...periods.map(({ entered, found }) => Math.max(entered, found)))
  const width = periods.length * STEP
  const label = ({ start }: Period) => (isDaily ? formatDate : formatMoment)(start.toISOString())
  const bar = (index: number, count: number) => ({
    x: index * STEP + (STEP - BAR) / 2,
    width: BAR,
    y: HEIGHT - (count / most) * HEIGHT,
    height: (count / most) * HEIGHT,
  })
  return (
    <>
      <div className="mt-4 flex flex-wrap gap-x-5 gap-y-2 text-sm text-ink-soft">
        <Key className="bg-line-strong" label={texts.entered} />
        <Key className="bg-accent" label={texts.found} />
      </div>
      <svg
        role="img"
        aria-label={texts.chart(periods.length)}
        viewBox={`0 0 ${width} ${HEIGHT}`}
        preserveAspectRatio="none"
        // Few bars are no wall.
        style={{ maxWidth: `${periods.length * 4}rem` }}
        className="mt-3 h-40 w-full border-b border-line-strong"
      >
        {periods.map((period, index) => (
          <g key={period.start.getTime()}>
            <title>{`${label(period)}: ${texts.entered} ${digits(period.entered)}, ${texts.found} ${digits(period.found)}`}</title>
            <rect {...bar(index, period.entered)} className="fill-line-strong" />
            <rect {...bar(index, period.found)} className="fill-accent" />
          </g>
        ))}
      </svg>
      <p className="mt-1 flex justify-between gap-4 text-sm text-ink-soft">
        <span>{label(periods[0]!)}</span>
        {periods.length > 1 && <span className="text-right">{label(periods.at(-1)!)}</span>}
      </p>
      <details className="mt-4">
        <summary className="min-h-11 cursor-pointer py-2 font-medium">{texts.table}</summary>
        <div className="max-h-96 overflow-y-auto">
          <table className="w-full text-left tabular-nums">
            <thead>
              <tr className="border-b border-line text-sm text-ink-soft">
                <th className="py-2 pr-2 font-medium">{isDaily ? texts.day : texts.hour}</th>
                <th className="py-2 pr-2 text-right font-medium">{texts.entered}</th>
                <th className="py-2 text-right font-medium">{texts.found}</th>
              </tr>
            </thead>
            <tbody>
              {periods.map((period) => (
                <tr key={period.start.getTime()} className="border-b border-line">
                  <th className="py-2 pr-2 font-normal">{label(period)}</th>
                  <td className="py-2 pr-2 text-right">{digits(period.entered)}</td>
                  <td className="py-2 text-right">{digits(period.found)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </>
  )
}

const Key = ({ className, label }: { className: string; label: string }) => (
  <span className="flex items-center gap-2">
    <span aria-hidden="true" className={`size-4 rounded-sm ${className}`} />
    {label}
  </span>
)

import type { OptOutsOutput } from '../../../src/contract/opt-outs.ts'
import { optOutsPage as texts } from '../../../src/texts/english.ts'
import { formatDate, formatMoment, formatTime } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'

type OptOut = OptOutsOutput['optOuts'][number]

/** What the owner wants to do with some opt-outs. */
export interface Answer {
  change: 'revoke' | 'allow' | 'refuse'
  optOuts: OptOut[]
}

export interface OptOutDaysProps {
  optOuts: readonly OptOut[]
  isBusy: boolean
  onAnswer: (answer: Answer) => void
}

/** The opt-outs of an album by day, with what the owner can do about each, and about all of a day. */
export function OptOutDays({ optOuts, ...rest }: OptOutDaysProps) {
  const newest = [...optOuts].sort((one, other) => (one.at < other.at ? 1 : -1))
  // Map.groupBy would need Safari 17.4.
  const days = new Map<string, OptOut[]>()
  for (const optOut of newest) {
    const day = formatDate(optOut.at)
    days.set(day, [...(days.get(day) ?? []), optOut])
  }
  return [...days].map(([day, some]) => (
    <section key={day} aria-label={day} className="mt-6">
      <h2 className="text-heading font-semibold">{day}</h2>
      <ul className="mt-2 divide-y divide-line">
        {some.map((optOut) => (
          <li key={optOut.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
            <p className="min-w-0">
              <span className="font-medium">{texts.faces(optOut.faces)}</span>
              <span className="text-ink-soft">
                {' '}
                · {formatTime(optOut.at)} · {stateOf(optOut)}
              </span>
            </p>
            <Answers optOuts={[optOut]} {...rest} />
          </li>
        ))}
      </ul>
      {some.length > 1 && (
        <div className="mt-3">
          <AnswersOfDay optOuts={some} {...rest} />
        </div>
      )}
    </section>
  ))
}

function stateOf({ state, permanentAt }: OptOut): string {
  return state === 'hidden' ? texts.state.hidden(formatMoment(permanentAt!)) : texts.state[state]
}

interface AnswersProps extends Omit<OptOutDaysProps, 'optOuts'> {
  optOuts: OptOut[]
}

function Answers({ optOuts, isBusy, onAnswer }: AnswersProps) {
  const [{ state }] = optOuts as [OptOut]
  const button = (change: Answer['change'], label: string) => (
    <Button look="secondary" disabled={isBusy} onClick={() => onAnswer({ change, optOuts })}>
      {label}
    </Button>
  )
  if (state === 'hidden') return button('revoke', texts.revoke)
  if (state !== 'waiting') return null
  return (
    <span className="flex gap-2">
      {button('allow', texts.allow)}
      {button('refuse', texts.refuse)}
    </span>
  )
}

function AnswersOfDay({ optOuts, isBusy, onAnswer }: AnswersProps) {
  const hidden = optOuts.filter(({ state }) => state === 'hidden')
  const waiting = optOuts.filter(({ state }) => state === 'waiting')
  const button = (change: Answer['change'], some: OptOut[], label: (count: number) => string) =>
    some.length > 1 && (
      <Button
        look="quiet"
        className="-ml-4"
        disabled={isBusy}
        onClick={() => onAnswer({ change, optOuts: some })}
      >
        {label(some.length)}
      </Button>
    )
  return (
    <div className="flex flex-wrap gap-x-6">
      {button('revoke', hidden, texts.revokeDay)}
      {button('allow', waiting, texts.allowDay)}
      {button('refuse', waiting, texts.refuseDay)}
    </div>
  )
}

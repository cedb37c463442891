import type { OptOutsOutput, OwnersChange } from '../../../../src/contract/opt-outs.ts'
import { deskOptOuts as texts } from '../../../../src/texts/english/desk/desk.ts'
import { formatDate, formatMoment, formatTime } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import type { PhotoLoading } from '../../photos/grid/photo-tile.tsx'
import { HideRequest } from './hide-request.tsx'

type OptOut = OptOutsOutput['optOuts'][number]

/** What the owner wants to do with some opt-outs. */
export interface Answer {
  change: OwnersChange
  optOuts: OptOut[]
}

export interface OptOutDaysProps {
  optOuts: readonly OptOut[]
  isBusy: boolean
  onAnswer: (answer: Answer) => void
  /** How the addresses of the photos are doing. */
  loading: PhotoLoading
}

/** The opt-outs of an album by day, with what the owner can do about each, and about all of a day. */
export function OptOutDays({ optOuts, isBusy, onAnswer, loading }: OptOutDaysProps) {
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
          <li key={optOut.id} className="py-2">
            <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
              <p className="min-w-0">
                <span className="font-medium">{texts.faces(optOut.faces)}</span>
                <span className="text-ink-soft">
                  {' '}
                  · {formatTime(optOut.at)} · {stateOf(optOut)}
                </span>
              </p>
              {canRevoke(optOut) && (
                <Button
                  look="secondary"
                  disabled={isBusy}
                  onClick={() => onAnswer({ change: 'revoke', optOuts: [optOut] })}
                >
                  {texts.revoke}
                </Button>
              )}
            </div>
            {optOut.hiding && (
              <HideRequest
                {...optOut.hiding}
                isBusy={isBusy}
                onAnswer={(change) => onAnswer({ change, optOuts: [optOut] })}
                loading={loading}
              />
            )}
          </li>
        ))}
      </ul>
      {some.filter(canRevoke).length > 1 && (
        <Button
          look="quiet"
          className="mt-3 -ml-4"
          disabled={isBusy}
          onClick={() => onAnswer({ change: 'revoke', optOuts: some.filter(canRevoke) })}
        >
          {texts.revokeDay(some.filter(canRevoke).length)}
        </Button>
      )}
    </section>
  ))
}

const canRevoke = ({ state }: OptOut) => state === 'active'

function stateOf({ state, eraseAt }: OptOut): string {
  return state === 'active' ? texts.state.active(formatMoment(eraseAt)) : texts.state[state]
}

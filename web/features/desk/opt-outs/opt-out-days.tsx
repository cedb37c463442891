import type { OptOutsOutput, OwnersChange } from '../../../../src/contract/opt-outs.ts'
import { deskOptOuts as texts } from '../../../../src/texts/english/desk/desk.ts'
import { formatDate, formatMoment, formatTime } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { photoIdOf } from '../../photos/photo-path.ts'
import { PhotoThumb } from '../../photos/photo-thumb.tsx'

type OptOut = OptOutsOutput['optOuts'][number]
type Hiding = NonNullable<OptOut['hiding']>

/** What the owner wants to do with some opt-outs. */
export interface Answer {
  change: OwnersChange
  optOuts: OptOut[]
}

export interface OptOutDaysProps {
  optOuts: readonly OptOut[]
  isBusy: boolean
  onAnswer: (answer: Answer) => void
}

/** The opt-outs of an album by day, with what the owner can do about each, and about all of a day. */
export function OptOutDays({ optOuts, isBusy, onAnswer }: OptOutDaysProps) {
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

interface HideRequestProps extends Hiding, Pick<OptOutDaysProps, 'isBusy'> {
  onAnswer: (answer: 'hide' | 'show') => void
}

/** A guest asks the owner to hide photos: which ones, and what the owner can answer. */
function HideRequest({ count, answer, thumbUrls, isBusy, onAnswer }: HideRequestProps) {
  const button = (to: 'hide' | 'show', label: string) => (
    <Button look="secondary" disabled={isBusy} onClick={() => onAnswer(to)} className="max-sm:w-full">
      {label}
    </Button>
  )
  return (
    <div className="mt-3 rounded-lg border border-line p-4">
      <p className="font-medium">{texts.asks(count)}</p>
      <p className="mt-1 text-sm text-ink-soft">{texts.hidingMeans}</p>
      {thumbUrls.length > 0 && (
        <div className="mt-3 grid grid-cols-3 gap-2 sm:grid-cols-6">
          {thumbUrls.map((url, index) => (
            <PhotoThumb
              key={photoIdOf(url)}
              src={url}
              alt={texts.photo(index + 1)}
              className="aspect-square rounded-md"
            />
          ))}
        </div>
      )}
      {thumbUrls.length > 0 && thumbUrls.length < count && (
        <p className="mt-2 text-sm text-ink-soft">{texts.these(thumbUrls.length)}</p>
      )}
      {answer && (
        <p className="mt-3 font-medium">
          {answer === 'hide' ? texts.areHidden(count) : texts.areShown(count)}
        </p>
      )}
      <div className="mt-3 flex flex-wrap gap-3">
        {answer !== 'hide' && button('hide', texts.hide(count))}
        {answer !== 'show' && button('show', answer === 'hide' ? texts.showAgain : texts.keep)}
      </div>
    </div>
  )
}

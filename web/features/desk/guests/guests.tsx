import { useMemo } from 'react'
import type { GuestNumbers } from '../../../../src/contract/album-guests.ts'
import { deskGuests as texts } from '../../../../src/texts/english/desk-guests.ts'
import * as common from '../../../../src/texts/english/words.ts'
import { digits } from '../../../../src/texts/numbers.ts'
import { failureText } from '../../../lib/failure.ts'
import { trpc } from '../../../trpc.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import type { SectionProps } from '../sections.ts'
import { GuestsChart } from './guests-chart.tsx'
import { periodsOf } from './periods.ts'

const REFRESH_MS = 30_000
const PERCENT = new Intl.NumberFormat(undefined, { style: 'percent' })

/** How many guests came, and how many found themselves. */
export default function Guests({ album }: SectionProps) {
  const { data, error, refetch } = trpc.albums.guests.useQuery(
    { id: album.id },
    { staleTime: 0, refetchInterval: REFRESH_MS },
  )
  if (data) return data.hours.length === 0 ? <Nobody /> : <Numbers numbers={data} />
  if (!error) return <Skeleton className="h-80 rounded-xl" />
  return (
    <Notice tone="error" title={texts.notLoaded}>
      <p>{failureText(error)}</p>
      <Button look="secondary" className="mt-4" onClick={() => refetch()}>
        {common.tryAgain}
      </Button>
    </Notice>
  )
}

const Nobody = () => <Notice title={texts.nobody}>{texts.nobodyText}</Notice>

function Numbers({ numbers }: { numbers: GuestNumbers }) {
  const { entered, searched, found, noFace, nothing, takenHome, letters, hours } = numbers
  const { isDaily, periods } = useMemo(() => periodsOf(hours), [hours])
  const shown: [string, number][] = [
    [texts.entered, entered],
    [texts.searched, searched],
    [texts.found, found],
    [texts.takenHome, takenHome],
    ...(letters > 0 ? [[texts.letters, letters] as [string, number]] : []),
  ]
  return (
    <div className="space-y-6">
      <Card>
        <dl className="grid grid-cols-2 gap-x-4 gap-y-6 sm:grid-cols-3">
          {shown.map(([label, count]) => (
            <div key={label} className="flex flex-col-reverse justify-end">
              <dt className="text-sm text-ink-soft">{label}</dt>
              <dd className="text-title font-bold tabular-nums">{digits(count)}</dd>
            </div>
          ))}
        </dl>
        {searched > 0 && (
          <p className="mt-6 text-lg font-medium">
            {texts.share(PERCENT.format(Math.min(1, found / searched)))}
          </p>
        )}
      </Card>
      <Card aria-labelledby="guests-by-time">
        <h2 id="guests-by-time" className="text-heading font-semibold">
          {isDaily ? texts.byDay : texts.byHour}
        </h2>
        <GuestsChart periods={periods} isDaily={isDaily} />
      </Card>
      {noFace + nothing > 0 && (
        <Card aria-labelledby="guests-without-result">
          <h2 id="guests-without-result" className="text-heading font-semibold">
            {texts.noResult(noFace + nothing)}
          </h2>
          <dl className="mt-3 divide-y divide-line">
            <Reason label={texts.noFace} count={noFace} />
            <Reason label={texts.nothing} count={nothing} />
          </dl>
        </Card>
      )}
      <p className="text-sm text-ink-soft">{texts.privacy}</p>
    </div>
  )
}

const Reason = ({ label, count }: { label: string; count: number }) => (
  <div className="flex justify-between gap-4 py-2">
    <dt className="text-ink-soft">{label}</dt>
    <dd className="font-medium tabular-nums">{digits(count)}</dd>
  </div>
)

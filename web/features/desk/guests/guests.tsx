import { useMemo } from 'react'
import type { GuestNumbers } from '../../../../src/contract/albums/album-guests.ts'
import { deskGuests as texts } from '../../../../src/texts/english/desk/desk-guests.ts'
import { digits } from '../../../../src/texts/numbers.ts'
import { trpc } from '../../../trpc.ts'
import { Card } from '../../../ui/card.tsx'
import { FailureNotice } from '../../../ui/loading.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { DeskCard } from '../desk-card.tsx'
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
  if (data)
    return data.hours.length > 0 ? (
      <Numbers numbers={data} />
    ) : (
      <Notice title={texts.nobody}>{texts.nobodyText}</Notice>
    )
  if (!error) return <Skeleton className="h-80 rounded-xl" />
  return <FailureNotice error={error} title={texts.notLoaded} onRetry={refetch} />
}

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
  const reasons: [string, number][] = [
    [texts.noFace, noFace],
    [texts.nothing, nothing],
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
      <DeskCard title={isDaily ? texts.byDay : texts.byHour}>
        <GuestsChart periods={periods} isDaily={isDaily} />
      </DeskCard>
      {noFace + nothing > 0 && (
        <DeskCard title={texts.noResult(noFace + nothing)}>
          <dl className="mt-3 divide-y divide-line">
            {reasons.map(([label, count]) => (
              <div key={label} className="flex justify-between gap-4 py-2">
                <dt className="text-ink-soft">{label}</dt>
                <dd className="font-medium tabular-nums">{digits(count)}</dd>
              </div>
            ))}
          </dl>
        </DeskCard>
      )}
      <p className="text-sm text-ink-soft">{texts.privacy}</p>
    </div>
  )
}

import { type SubmitEvent, useState } from 'react'
import type { AlbumSettings } from '../../../../src/contract/albums/album-settings.ts'
import type { EnteredAlbum } from '../../../../src/contract/albums/albums.ts'
import { isOpen } from '../../../../src/contract/albums/opening.ts'
import { FACES_END_DAYS } from '../../../../src/contract/limits.ts'
import { whenOpen as texts } from '../../../../src/texts/english/desk/desk-settings.ts'
import { issuesOf, issueWith } from '../../../lib/failure.ts'
import { formatDate, formatMoment } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { FailureNotice } from '../../../ui/loading.tsx'
import { DeskCard } from '../desk-card.tsx'
import { Choice } from '../photos/choice.tsx'
import { useSettings } from './use-settings.ts'

type Times = Pick<AlbumSettings, 'opensAt' | 'closesAt'>
type TimeName = keyof Times

/** Lets the organiser say from when until when guests may come in. */
export function WhenOpen({ album, facesEndedAt }: { album: EnteredAlbum; facesEndedAt: string | null }) {
  const { save, shown, isPending, error } = useSettings(album)
  /** What was typed, by the clock of this device. */
  const [typed, setTyped] = useState<{ [Name in TimeName]?: string }>({})
  const shownAt = (name: TimeName) => typed[name] ?? clockOf(album[name])

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (!isPending) save({ opensAt: momentOf(shownAt('opensAt')), closesAt: momentOf(shownAt('closesAt')) })
  }

  const field = (name: TimeName) => (
    <Field
      type="datetime-local"
      max="9999-12-31T23:59"
      label={texts[name]}
      hint={texts[`${name}Hint`]}
      error={issueWith(error, name)}
      value={shownAt(name)}
      onChange={({ target }) => setTyped((former) => ({ ...former, [name]: target.value }))}
    />
  )
  return (
    <DeskCard title={texts.title}>
      <p role="status" className="mt-1 font-medium">
        {stateOf(album)}
      </p>
      <form onSubmit={submit} className="mt-5 space-y-4">
        <div className="grid gap-4 sm:grid-cols-2">
          {field('opensAt')}
          {field('closesAt')}
        </div>
        <p className="text-sm text-ink-soft">
          {texts.zone(Intl.DateTimeFormat().resolvedOptions().timeZone)}
        </p>
        <FailureNotice error={issuesOf(error).length === 0 && error} title={texts.notSaved} />
        <Button type="submit" look="secondary" className="max-sm:w-full" busy={isPending}>
          {isPending ? texts.saving : texts.save}
        </Button>
      </form>
      <div className="mt-5 border-t border-line pt-5">
        <Choice
          label={texts.facesEnd}
          value={String(shown.facesEndDays)}
          options={FACES_END_DAYS.map((days) => [String(days), texts.daysAfter(days)])}
          onChange={(value) => save({ facesEndDays: FACES_END_DAYS.find((days) => String(days) === value)! })}
        />
        <p className="mt-2 text-sm text-ink-soft">
          {facesEndedAt === null ? texts.facesEndText : texts.facesEnded(formatDate(facesEndedAt))}
        </p>
      </div>
    </DeskCard>
  )
}

/** What is so now. */
function stateOf({ opensAt, closesAt }: Times): string {
  if (isOpen({ opensAt, closesAt }))
    return closesAt === null ? texts.open : texts.openUntil(formatMoment(closesAt))
  return opensAt !== null && new Date() < new Date(opensAt)
    ? texts.opens(formatMoment(opensAt))
    : texts.closed(formatMoment(closesAt!))
}

/** A moment as such a field has it: `2026-06-20T20:00`, by the clock of this device. */
function clockOf(moment: string | null): string {
  if (moment === null) return ''
  const at = new Date(moment)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

const momentOf = (clock: string) => (clock === '' ? null : new Date(clock).toISOString())

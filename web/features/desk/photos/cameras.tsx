import { type FormEvent, useState } from 'react'
import type { Cameras } from '../../../../src/contract/desk-photos.ts'
import { cameras as texts } from '../../../../src/texts/english/desk/desk-photos.ts'
import { formatMoment } from '../../../lib/format.ts'
import { trpc } from '../../../trpc.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { FailureNotice, MoreButton } from '../../../ui/loading.tsx'
import { toast } from '../../../ui/toast-store.ts'
import { DeskCard } from '../desk-card.tsx'
import { Choice } from './choice.tsx'
import { minutesInWords, minutesOf, partsOf } from './minutes.ts'
import { type ListedPhoto, useOwnerPhotos } from './use-owner-photos.ts'

interface CameraClocksProps {
  /** Of the album. */
  id: string
  cameras: Cameras['cameras']
  /** The album has another order. */
  onShifted: () => void
}

const ZERO = partsOf(0)

/** Sets the clock of a camera right: by the photos of two cameras that show the same moment, or by days, hours and minutes. */
export default function CameraClocks({ id, cameras, onShifted }: CameraClocksProps) {
  const utils = trpc.useUtils()
  const [wrong, setWrong] = useState(cameras[0]!.camera)
  const [right, setRight] = useState(cameras.find(({ camera }) => camera !== wrong)?.camera)
  const [moments, setMoments] = useState<{ wrong?: ListedPhoto; right?: ListedPhoto }>({})
  const [entered, setEntered] = useState<typeof ZERO>()
  const present = cameras.find(({ camera }) => camera === wrong)?.shiftMinutes ?? 0
  const said = minutesBetween(moments.wrong, moments.right)
  const parts = entered ?? partsOf(present + (said ?? 0))
  const minutes = minutesOf(parts)

  const shift = trpc.albums.shiftCamera.useMutation({
    onSuccess(news) {
      utils.albums.cameras.setData({ id }, news)
      setMoments({})
      setEntered(undefined)
      toast({ title: texts.saved, tone: 'success' })
      onShifted()
    },
  })
  const names = cameras.map(({ camera }) => [camera, camera] as const)
  const save = (event: FormEvent) => {
    event.preventDefault()
    shift.mutate({ id, camera: wrong, minutes })
  }
  function choose(side: 'wrong' | 'right', photo: ListedPhoto): void {
    setMoments({ ...moments, [side]: photo })
    setEntered(undefined)
  }
  const part = (name: keyof typeof ZERO, label: string) => (
    <Field
      label={label}
      type="number"
      step={1}
      required
      value={String(parts[name])}
      onChange={({ target }) => setEntered({ ...parts, [name]: Math.trunc(target.valueAsNumber || 0) })}
      className="w-24"
    />
  )
  return (
    <DeskCard className="mb-5" title={texts.title} text={texts.text}>
      <div className="mt-4 grid grid-cols-2 gap-4">
        <div className="min-w-0">
          <Choice
            label={texts.toMove}
            value={wrong}
            options={names}
            onChange={(camera) => {
              setWrong(camera)
              setMoments({})
              setEntered(undefined)
              if (camera === right) setRight(cameras.find((one) => one.camera !== camera)?.camera)
            }}
          />
          <Moments
            key={`${wrong} ${present}`}
            id={id}
            camera={wrong}
            chosen={moments.wrong}
            onChoose={(photo) => choose('wrong', photo)}
          />
        </div>
        {right && (
          <div className="min-w-0">
            <Choice
              label={texts.compare}
              value={right}
              options={names.filter(([camera]) => camera !== wrong)}
              onChange={(camera) => {
                setRight(camera)
                setMoments({})
              }}
            />
            <Moments
              key={right}
              id={id}
              camera={right}
              chosen={moments.right}
              onChoose={(photo) => choose('right', photo)}
            />
          </div>
        )}
      </div>
      <form className="mt-5 flex flex-wrap items-end gap-3" onSubmit={save}>
        {part('days', texts.days)}
        {part('hours', texts.hours)}
        {part('rest', texts.minutes)}
        <Button type="submit" disabled={shift.isPending || minutes === present} busy={shift.isPending}>
          {shift.isPending ? texts.saving : texts.save}
        </Button>
        {present !== 0 && (
          <Button
            look="secondary"
            disabled={shift.isPending}
            onClick={() => shift.mutate({ id, camera: wrong, minutes: 0 })}
          >
            {texts.undo}
          </Button>
        )}
      </form>
      {present !== 0 && <p className="mt-3 text-ink-soft">{texts.shift(minutesInWords(present))}</p>}
      <FailureNotice error={shift.error} className="mt-4" title={texts.notSaved} />
    </DeskCard>
  )
}

/** How many minutes later the second one was taken. */
function minutesBetween(one?: ListedPhoto, other?: ListedPhoto): number | undefined {
  if (!one?.takenAt || !other?.takenAt) return undefined
  return Math.round((Date.parse(`${other.takenAt}Z`) - Date.parse(`${one.takenAt}Z`)) / 60_000)
}

interface MomentsProps {
  id: string
  camera: string
  chosen: ListedPhoto | undefined
  onChoose: (photo: ListedPhoto) => void
}

/** The photos of a camera, of which one is chosen. */
function Moments({ id, camera, chosen, onChoose }: MomentsProps) {
  const { photos = [], hasMore, isLoadingMore, loadMore } = useOwnerPhotos(id, { camera })
  return (
    <div className="mt-3 max-h-96 space-y-2 overflow-y-auto rounded-md border border-line p-2">
      {photos.map((photo) => (
        <label
          key={photo.id}
          className="relative block cursor-pointer rounded-md has-focus-visible:outline-2"
        >
          <input
            type="radio"
            name={`moment of ${camera}`}
            checked={chosen?.id === photo.id}
            onChange={() => onChoose(photo)}
            className="absolute inset-0 size-full cursor-pointer opacity-0"
          />
          <img
            src={photo.thumbUrl}
            alt={photo.filename}
            loading="lazy"
            width={photo.width}
            height={photo.height}
            className={`h-auto w-full rounded-md border-2 ${chosen?.id === photo.id ? 'border-accent' : 'border-transparent'}`}
          />
          <span className="block px-1 text-sm tabular-nums">
            {photo.takenAt ? formatMoment(photo.takenAt) : photo.filename}
          </span>
        </label>
      ))}
      {hasMore && (
        <MoreButton isLoading={isLoadingMore} onClick={() => void loadMore()}>
          {texts.more}
        </MoreButton>
      )}
    </div>
  )
}

import { type ReactNode, useId, useRef, useState } from 'react'
import type { EnteredAlbum } from '../../../../src/contract/albums/albums.ts'
import type { PhotoDetails } from '../../../../src/contract/desk-photos.ts'
import { aboutPhoto as texts } from '../../../../src/texts/english/desk/desk-photos.ts'
import { albumLook } from '../../../../src/texts/english/desk/desk-settings.ts'
import * as common from '../../../../src/texts/english/words.ts'
import { failureText } from '../../../lib/failure.ts'
import { formatBytes, formatMoment } from '../../../lib/format.ts'
import { trpc } from '../../../trpc.ts'
import { PhotosIcon } from '../../../ui/action-icons.tsx'
import { Button } from '../../../ui/button.tsx'
import { FailureNotice } from '../../../ui/loading.tsx'
import { Modal } from '../../../ui/modal.tsx'
import { InfoIcon } from '../../../ui/more-icons.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast-store.ts'
import { photoIdOf, type ViewedPhoto } from '../../photos/photo-path.ts'
import { ACTION, Label } from '../../photos/viewer/viewer-actions.tsx'
import { useSettings } from '../settings/use-settings.ts'
import { minutesInWords } from './minutes.ts'

/** The button in the viewer that makes a photo the cover of the album, or no longer. */
export function UseAsCover({ album, photo }: { album: EnteredAlbum; photo: ViewedPhoto }) {
  const { save, isPending } = useSettings(album, (error) =>
    toast({ title: albumLook.failed, description: failureText(error), tone: 'error' }),
  )
  const isCover = album.cover !== null && photoIdOf(album.cover.url) === photoIdOf(photo.thumbUrl)
  return (
    <button
      type="button"
      aria-pressed={isCover}
      disabled={isPending}
      onClick={() => save({ coverId: isCover ? null : photoIdOf(photo.thumbUrl) })}
      className={ACTION}
    >
      <PhotosIcon />
      <Label>{albumLook.use}</Label>
    </button>
  )
}

/** The button in the viewer that says what was seen in a photo.
 *  @param id of the album */
export function AboutPhoto({ id, photo }: { id: string; photo: ViewedPhoto }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)} className={ACTION}>
        <InfoIcon />
        <Label>{texts.open}</Label>
      </button>
      {isOpen && <Details id={id} photo={photo} onClose={() => setOpen(false)} />}
    </>
  )
}

function Details({ id, photo, onClose }: { id: string; photo: ViewedPhoto; onClose: () => void }) {
  const details = trpc.albums.photoDetails.useQuery(
    { id, photoId: photoIdOf(photo.thumbUrl) },
    { staleTime: 0 },
  )
  const closing = useRef<HTMLButtonElement>(null)
  const title = useId()
  return (
    <Modal labelledBy={title} first={closing} onClose={onClose}>
      <h2 id={title} className="text-heading font-semibold">
        {texts.title}
      </h2>
      <FailureNotice error={details.error} className="mt-4" />
      {details.data ? (
        <Seen details={details.data} />
      ) : (
        !details.error && <Skeleton className="mt-4 aspect-[4/3]" />
      )}
      <Button ref={closing} className="mt-6 w-full" onClick={onClose}>
        {common.close}
      </Button>
    </Modal>
  )
}

function Seen({ details }: { details: PhotoDetails }) {
  const { filename, width, height, faceBoxes, leftOut, takenAt, shiftMinutes, camera, reason } = details
  const reasons = [...new Set(leftOut.map((face) => face.reason))].join('; ')
  return (
    <>
      <div
        className="relative mt-4 overflow-hidden rounded-md"
        style={{ aspectRatio: `${width} / ${height}` }}
      >
        <img src={details.previewUrl} alt={filename} className="size-full" />
        {faceBoxes.map((box, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they have no other name, and never change.
          <Box key={index} box={box} look="border-accent" />
        ))}
        {leftOut.map(({ box }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above.
          <Box key={index} box={box} look="border-dashed border-white" />
        ))}
      </div>
      {faceBoxes.length > 0 && <p className="mt-4">{texts.found(faceBoxes.length)}</p>}
      {leftOut.length > 0 ? (
        <p className="mt-1">
          {texts.leftOut(leftOut.length)}
          {reasons}.
        </p>
      ) : (
        reason && <p className="mt-4">{reason}</p>
      )}
      <dl className="mt-4 space-y-1.5 text-sm text-ink-soft">
        <Fact label={texts.taken}>
          {takenAt ? formatMoment(takenAt) : texts.unknown}
          {shiftMinutes !== 0 && ` ${texts.shifted(minutesInWords(shiftMinutes))}`}
        </Fact>
        <Fact label={texts.camera}>{camera ?? texts.unknown}</Fact>
        <Fact label={texts.added}>{formatMoment(details.addedAt)}</Fact>
        <Fact label={texts.size}>{texts.pixels(width, height, formatBytes(details.bytes))}</Fact>
      </dl>
    </>
  )
}

function Box({ box, look }: { box: PhotoDetails['faceBoxes'][number]; look: string }) {
  const percent = (part: number) => `${part * 100}%`
  const { left, top, width, height } = box
  const style = { left: percent(left), top: percent(top), width: percent(width), height: percent(height) }
  return <span className={`absolute rounded-sm border-2 ${look}`} style={style} />
}

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="flex flex-wrap justify-between gap-x-4">
    <dt>{label}</dt>
    <dd className="text-ink">{children}</dd>
  </div>
)

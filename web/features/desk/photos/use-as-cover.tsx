import type { EnteredAlbum } from '../../../../src/contract/albums.ts'
import { albumLook as texts } from '../../../../src/texts/english/desk-settings.ts'
import { failureText } from '../../../lib/failure.ts'
import { PhotosIcon } from '../../../ui/action-icons.tsx'
import { toast } from '../../../ui/toast-store.ts'
import { photoIdOf, type ViewedPhoto } from '../../photos/photo-path.ts'
import { ACTION, Label } from '../../photos/viewer/viewer-actions.tsx'
import { useSettings } from '../settings/use-settings.ts'

/** The button in the viewer that makes a photo the cover of the album, or no longer. */
export function UseAsCover({ album, photo }: { album: EnteredAlbum; photo: ViewedPhoto }) {
  const { save, isPending } = useSettings(album, (error) =>
    toast({ title: texts.failed, description: failureText(error), tone: 'error' }),
  )
  const isCover = album.cover !== null && photoIdOf(album.cover) === photoIdOf(photo)
  return (
    <button
      type="button"
      aria-pressed={isCover}
      disabled={isPending}
      onClick={() => save({ coverId: isCover ? null : photoIdOf(photo) })}
      className={ACTION}
    >
      <PhotosIcon />
      <Label>{texts.use}</Label>
    </button>
  )
}

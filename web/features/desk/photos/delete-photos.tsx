import { useMutation } from '@tanstack/react-query'
import { deskPhotos, deletePhotos as texts } from '../../../../src/texts/english/desk/desk-photos.ts'
import * as common from '../../../../src/texts/english/words.ts'
import { readOwnAlbums } from '../../../lib/own-albums.ts'
import { pause } from '../../../lib/pause.ts'
import { trpc } from '../../../trpc.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { FailureNotice } from '../../../ui/loading.tsx'
import { forgetUploads } from '../../own-albums/upload-history.ts'
import { inPortions } from './in-portions.ts'
import type { ListedPhoto } from './use-owner-photos.ts'

/** Ms that the browser gets to forget what it has uploaded. */
const FORGET_MS = 10_000

/** What the organiser reads after photos were deleted. */
export interface Receipt {
  title: string
  text: string
}

export interface DeletePhotosProps {
  album: { id: string; albumName: string }
  photos: readonly ListedPhoto[]
  /** The photos are gone. */
  onDeleted: (receipt: Receipt) => void
  onClose: () => void
}

/** Asks the organiser once before photos are deleted for good. */
export default function DeletePhotos({ album, photos, onDeleted, onClose }: DeletePhotosProps) {
  const { albums, client } = trpc.useUtils()
  const { mutate, isPending, error } = useMutation({
    async mutationFn() {
      const own = readOwnAlbums().filter(({ userAlbumSlug }) => userAlbumSlug === album.albumName)
      const forgotten = Promise.allSettled(own.map(({ userAlbumId }) => forgetUploads(userAlbumId)))
      const answers = await inPortions(photos, (photoIds) =>
        client.albums.deletePhotos.mutate({ id: album.id, photoIds }),
      )
      // Some browsers' stores never answer.
      await Promise.race([forgotten, pause(FORGET_MS)])
      return answers.reduce((sum, { photosDeleted }) => sum + photosDeleted, 0)
    },
    onSuccess(deleted) {
      void albums.coverage.invalidate({ id: album.id })
      void albums.listPage.invalidate()
      const gone = photos.length - deleted
      const text = gone > 0 ? `${deskPhotos.deletedText} ${deskPhotos.hadGone(gone)}` : deskPhotos.deletedText
      onDeleted({ title: deskPhotos.deleted(deleted), text })
    },
  })
  return (
    <ConfirmDialog
      title={texts.question(photos.length)}
      stay={{ label: common.cancel, onClick: () => isPending || onClose() }}
      leave={{
        label: isPending ? texts.deleting : texts.forGood,
        onClick: () => isPending || mutate(),
        isDangerous: true,
      }}
    >
      <p>{texts.text(photos.length)}</p>
      <FailureNotice error={error} className="mt-4" title={texts.failed} />
    </ConfirmDialog>
  )
}

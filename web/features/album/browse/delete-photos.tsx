import { useMutation } from '@tanstack/react-query'
import { CHANGE_MAX_PHOTOS } from '../../../../src/contract/limits.ts'
import type { ResultPhoto } from '../../../../src/contract/submissions.ts'
import { deletePhotos as texts } from '../../../../src/texts/english/album-owner.ts'
import * as common from '../../../../src/texts/english/words.ts'
import { failureText } from '../../../lib/failure.ts'
import { readOwnAlbums } from '../../../lib/own-albums.ts'
import { pause } from '../../../lib/pause.ts'
import { trpc } from '../../../trpc.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { toast } from '../../../ui/toast-store.ts'
import { forgetUploads } from '../../own-albums/upload-history.ts'
import { photoIdOf } from '../../photos/photo-path.ts'

/** Ms that the browser gets to forget what it has uploaded. */
const FORGET_MS = 10_000

export interface DeletePhotosProps {
  album: { id: string; albumName: string }
  photos: readonly ResultPhoto[]
  /** The photos are gone. */
  onDeleted: () => void
  onClose: () => void
}

/** Asks the owner once before photos are deleted for good. */
export default function DeletePhotos({ album, photos, onDeleted, onClose }: DeletePhotosProps) {
  const { albums, client } = trpc.useUtils()
  const { mutate, isPending, error } = useMutation({
    async mutationFn() {
      const own = readOwnAlbums().filter(({ userAlbumSlug }) => userAlbumSlug === album.albumName)
      const forgotten = Promise.allSettled(own.map(({ userAlbumId }) => forgetUploads(userAlbumId)))
      for (let from = 0; from < photos.length; from += CHANGE_MAX_PHOTOS)
        await client.albums.deletePhotos.mutate({
          id: album.id,
          photoIds: photos.slice(from, from + CHANGE_MAX_PHOTOS).map(photoIdOf),
        })
      // Some browsers' stores never answer.
      await Promise.race([forgotten, pause(FORGET_MS)])
    },
    onSuccess() {
      toast({ title: texts.deleted(photos.length), tone: 'success' })
      void albums.progress.invalidate({ id: album.id })
      void albums.listPage.invalidate()
      onDeleted()
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
      {error && (
        <Notice tone="error" className="mt-4" title={texts.failed}>
          {failureText(error)}
        </Notice>
      )}
    </ConfirmDialog>
  )
}

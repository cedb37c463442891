import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { deletePhotos, deskPhotos as texts } from '../../../../src/texts/english/desk/desk-photos.ts'
import { failureText } from '../../../lib/failure.ts'
import { focusContent } from '../../../lib/focus.ts'
import { trpc } from '../../../trpc.ts'
import { Button, type ButtonProps } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast-store.ts'
import DeletePhotos, { type Receipt } from './delete-photos.tsx'
import { inPortions } from './in-portions.ts'
import type { ListedPhoto } from './use-owner-photos.ts'

export type { Receipt }
/** What photos have become. */
export type Change = 'hidden' | 'shown' | 'deleted'

export interface ChangePhotosProps {
  album: { id: string; albumName: string }
  /** Those that are chosen. */
  photos: readonly ListedPhoto[]
  onChanged: (photos: readonly ListedPhoto[], to: Change) => void
  /** Some were not shown, because a guest wants them to be hidden. */
  onStayHidden: () => void
  onDeleted: (receipt: Receipt) => void
}

const Wide = (props: ButtonProps) => <Button look="secondary" className="max-sm:grow" {...props} />

/** What an organiser does with chosen photos: hides them, shows them again, or deletes them for good. */
export function ChangePhotos({ album, photos, onChanged, onStayHidden, onDeleted }: ChangePhotosProps) {
  const { albums, client } = trpc.useUtils()
  const [toDelete, setToDelete] = useState<readonly ListedPhoto[]>()
  const hide = useMutation({
    mutationFn: (hidden: boolean) =>
      inPortions(photos, (photoIds) => client.albums.hidePhotos.mutate({ id: album.id, photoIds, hidden })),
    onSuccess(answers, hidden) {
      const stay = answers.reduce((sum, { photosStayHidden }) => sum + photosStayHidden, 0)
      const title = hidden ? texts.hidden(photos.length) : texts.shown(photos.length - stay)
      toast({ title, tone: 'success', ...(stay > 0 && { description: texts.stayHidden(stay) }) })
      onChanged(photos, hidden ? 'hidden' : 'shown')
      if (stay > 0) onStayHidden()
    },
    onError: (error) => toast({ title: texts.notChanged, description: failureText(error), tone: 'error' }),
    onSettled: () => void albums.coverage.invalidate({ id: album.id }),
  })
  const button = (hidden: boolean, label: string) => {
    const isWorking = hide.isPending && hide.variables === hidden
    const isUseful = photos.some(({ kind }) => (kind === 'hidden') !== hidden)
    return (
      <Wide disabled={!isUseful || hide.isPending} busy={isWorking} onClick={() => hide.mutate(hidden)}>
        {isWorking ? texts.working : label}
      </Wide>
    )
  }
  return (
    <>
      {button(true, texts.hide)}
      {button(false, texts.show)}
      <Wide
        look="danger"
        disabled={photos.length === 0 || hide.isPending}
        onClick={() => setToDelete(photos)}
      >
        {deletePhotos.open}
      </Wide>
      {toDelete && (
        <DeletePhotos
          album={album}
          photos={toDelete}
          onClose={() => setToDelete(undefined)}
          onDeleted={(receipt) => {
            // The dialog gives the focus back to its button, which then goes, too.
            flushSync(() => {
              onChanged(toDelete, 'deleted')
              onDeleted(receipt)
            })
            focusContent()
          }}
        />
      )}
    </>
  )
}

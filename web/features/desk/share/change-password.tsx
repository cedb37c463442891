import { useState } from 'react'
import type { EnteredAlbum } from '../../../../src/contract/albums/albums.ts'
import { changePassword as texts } from '../../../../src/texts/english/desk/desk-share.ts'
import { trpc } from '../../../trpc.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { CopyLine } from '../../../ui/copy-line.tsx'
import { FailureNotice } from '../../../ui/loading.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { DeskCard } from '../desk-card.tsx'
import { useShownAlbum } from '../settings/use-settings.ts'

/** Gives the album a new password, and says before what that ends. */
export function ChangePassword({ album: { id, albumName } }: { album: EnteredAlbum }) {
  const show = useShownAlbum(albumName)
  const [isOpen, setIsOpen] = useState(false)
  const { mutate, data, isPending, error, reset } = trpc.albums.changePassword.useMutation({
    onSuccess(changed) {
      show(changed)
      setIsOpen(false)
    },
  })
  return (
    <DeskCard title={texts.title} text={texts.text}>
      {data && (
        <Notice tone="success" className="mt-4" title={texts.changed}>
          <CopyLine name={texts.newPassword} value={data.albumPassword} />
        </Notice>
      )}
      <Button
        look="secondary"
        className="mt-4 max-sm:w-full"
        onClick={() => {
          reset()
          setIsOpen(true)
        }}
      >
        {texts.change}
      </Button>
      {isOpen && (
        <ConfirmDialog
          title={texts.question}
          stay={{ label: texts.keep, onClick: () => isPending || setIsOpen(false) }}
          leave={{
            label: isPending ? texts.changing : texts.change,
            onClick: () => isPending || mutate({ id }),
            isDangerous: true,
          }}
        >
          <p>{texts.ends}</p>
          <ul className="mt-2 list-disc space-y-1 pl-5">
            {texts.ended.map((what) => (
              <li key={what}>{what}</li>
            ))}
          </ul>
          <FailureNotice error={error} className="mt-4" title={texts.failed} />
        </ConfirmDialog>
      )}
    </DeskCard>
  )
}

import { useState } from 'react'
import type { EnteredAlbum } from '../../../../src/contract/albums.ts'
import { changePassword as texts } from '../../../../src/texts/english/desk-share.ts'
import { failureText } from '../../../lib/failure.ts'
import { trpc } from '../../../trpc.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { CopyLine } from '../../../ui/copy-line.tsx'
import { Notice } from '../../../ui/notice.tsx'

/** Gives the album a new password, and says before what that ends. */
export function ChangePassword({ album: { id, albumName } }: { album: EnteredAlbum }) {
  const { albums } = trpc.useUtils()
  const [isOpen, setIsOpen] = useState(false)
  const { mutate, data, isPending, error, reset } = trpc.albums.changePassword.useMutation({
    onSuccess(changed) {
      albums.visit.setData(
        { albumName },
        (visit) => visit && { ...visit, album: visit.album && { ...visit.album, ...changed } },
      )
      setIsOpen(false)
    },
  })
  return (
    <Card aria-labelledby="change-password">
      <h2 id="change-password" className="text-heading font-semibold">
        {texts.title}
      </h2>
      <p className="mt-1 text-ink-soft">{texts.text}</p>
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
          {error && (
            <Notice tone="error" className="mt-4" title={texts.failed}>
              {failureText(error)}
            </Notice>
          )}
        </ConfirmDialog>
      )}
    </Card>
  )
}

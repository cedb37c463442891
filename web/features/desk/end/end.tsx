import { useNavigate } from '@tanstack/react-router'
import { type SubmitEvent, useState } from 'react'
import { deskEnd as texts } from '../../../../src/texts/english/desk/desk-settings.ts'
import { forgetAlbum } from '../../../lib/keep-albums.ts'
import { readOrganiser } from '../../../lib/own-albums.ts'
import { forgetGuest } from '../../../lib/persisted.ts'
import { trpc } from '../../../trpc.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { FailureNotice } from '../../../ui/loading.tsx'
import { Sentence } from '../../../ui/sentence.tsx'
import { DeskCard } from '../desk-card.tsx'
import type { SectionProps } from '../sections.ts'

/** Erases the album, once its name was typed. The receipt is a page of its own. */
export default function End({ album: { id, albumName, displayName }, progress }: SectionProps) {
  const navigate = useNavigate()
  const { albums } = trpc.useUtils()
  const [typed, setTyped] = useState('')
  const photos = progress.photosUploadedToS3
  const { mutate, error, isPending } = trpc.albums.erase.useMutation({
    async onSuccess(remains) {
      const own = readOrganiser(albumName)
      if (own) forgetAlbum(own.userAlbumId)
      forgetGuest(albumName)
      await navigate({
        to: '/erased',
        replace: true,
        state: { erased: { id, displayName, photos, remains } },
      })
      void albums.invalidate()
    },
  })

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (!isPending && typed.trim() === albumName) mutate({ id })
  }

  return (
    <DeskCard title={texts.heading} text={texts.what(photos)}>
      <form onSubmit={submit} className="mt-5 space-y-4">
        <p>
          <Sentence of={texts.type(<b className="break-all">{albumName}</b>)} />
        </p>
        <Field
          label={texts.name}
          name="albumName"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <FailureNotice error={error} title={texts.failed} />
        <Button
          type="submit"
          look="danger"
          className="max-sm:w-full"
          busy={isPending}
          disabled={isPending || typed.trim() !== albumName}
        >
          {isPending ? texts.erasing : texts.erase}
        </Button>
      </form>
    </DeskCard>
  )
}

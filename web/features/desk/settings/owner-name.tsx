import { type SubmitEvent, useState } from 'react'
import type { EnteredAlbum } from '../../../../src/contract/albums/albums.ts'
import { ALBUM_NAME_MAX_LENGTH } from '../../../../src/contract/limits.ts'
import { ownerName as texts } from '../../../../src/texts/english/album-owner.ts'
import * as common from '../../../../src/texts/english/words.ts'
import { issuesOf } from '../../../lib/failure.ts'
import { takeFocus, useFocusAfter } from '../../../lib/focus.ts'
import { keepAlbum } from '../../../lib/keep-albums.ts'
import { readOrganiser } from '../../../lib/own-albums.ts'
import { trpc } from '../../../trpc.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { FailureNotice } from '../../../ui/loading.tsx'
import { DeskCard } from '../desk-card.tsx'

/** Lets the owner correct the name that pages and letters show. */
export function OwnerName({ album: { id, albumName, displayName } }: { album: EnteredAlbum }) {
  const { albums } = trpc.useUtils()
  /** What is typed; undefined while the form is closed. */
  const [name, setName] = useState<string>()
  const isOpen = name !== undefined
  const opener = useFocusAfter<HTMLButtonElement>(isOpen)
  const rename = trpc.albums.rename.useMutation({
    onSuccess(renamed) {
      albums.visit.setData(
        { albumName },
        (visit) => visit && { ...visit, ...renamed, album: visit.album && { ...visit.album, ...renamed } },
      )
      void albums.listPage.invalidate()
      const own = readOrganiser(albumName)
      if (own) keepAlbum({ ...own, eventName: renamed.displayName })
      setName(undefined)
    },
  })
  const wrongName = issuesOf(rename.error)[0]?.message

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (!rename.isPending && name) rename.mutate({ id, displayName: name })
  }

  return (
    <DeskCard
      title={texts.title}
      text={<bdi className="font-medium break-words text-ink">{displayName}</bdi>}
    >
      {isOpen ? (
        <form onSubmit={submit} className="mt-5 space-y-4">
          <Field
            ref={takeFocus}
            label={texts.name}
            name="displayName"
            required
            maxLength={ALBUM_NAME_MAX_LENGTH}
            autoComplete="off"
            hint={texts.hint}
            error={wrongName}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          <FailureNotice error={!wrongName && rename.error} title={texts.notSaved} />
          <div className="flex flex-wrap-reverse gap-3 sm:justify-end">
            <Button
              look="secondary"
              className="max-sm:w-full"
              onClick={() => {
                rename.reset()
                setName(undefined)
              }}
            >
              {common.cancel}
            </Button>
            <Button
              type="submit"
              className="max-sm:w-full"
              busy={rename.isPending}
              disabled={name.trim() === '' || rename.isPending}
            >
              {rename.isPending ? texts.saving : texts.save}
            </Button>
          </div>
        </form>
      ) : (
        <Button
          ref={opener}
          look="secondary"
          className="mt-4 max-sm:w-full"
          onClick={() => setName(displayName)}
        >
          {texts.rename}
        </Button>
      )}
    </DeskCard>
  )
}

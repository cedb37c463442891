import { useState } from 'react'
import type { EnteredAlbum } from '../../../../src/contract/albums/albums.ts'
import { ALBUM_NAME_MAX_LENGTH } from '../../../../src/contract/limits.ts'
import { ownerName as texts } from '../../../../src/texts/english/album-owner.ts'
import { useFocusAfter } from '../../../lib/focus.ts'
import { keepAlbum } from '../../../lib/keep-albums.ts'
import { readOrganiser } from '../../../lib/own-albums.ts'
import { trpc } from '../../../trpc.ts'
import { Button } from '../../../ui/button.tsx'
import { OneFieldForm } from '../../own-albums/one-field-form.tsx'
import { DeskCard } from '../desk-card.tsx'
import { useShownAlbum } from './use-settings.ts'

/** Lets the owner correct the name that pages and letters show. */
export function OwnerName({ album: { id, albumName, displayName } }: { album: EnteredAlbum }) {
  const { albums, client } = trpc.useUtils()
  const show = useShownAlbum(albumName)
  const [isOpen, setIsOpen] = useState(false)
  const opener = useFocusAfter<HTMLButtonElement>(isOpen)

  async function rename(name: string) {
    const renamed = await client.albums.rename.mutate({ id, displayName: name })
    show(renamed)
    void albums.visit.invalidate({ albumName })
    void albums.listPage.invalidate()
    const own = readOrganiser(albumName)
    if (own) keepAlbum({ ...own, eventName: renamed.displayName })
  }

  return (
    <DeskCard
      title={texts.title}
      text={<bdi className="font-medium break-words text-ink">{displayName}</bdi>}
    >
      {isOpen ? (
        <div className="mt-5">
          <OneFieldForm
            name="displayName"
            label={texts.name}
            hint={texts.hint}
            maxLength={ALBUM_NAME_MAX_LENGTH}
            autoComplete="off"
            present={displayName}
            texts={texts}
            change={rename}
            onClose={() => setIsOpen(false)}
          />
        </div>
      ) : (
        <Button ref={opener} look="secondary" className="mt-4 max-sm:w-full" onClick={() => setIsOpen(true)}>
          {texts.rename}
        </Button>
      )}
    </DeskCard>
  )
}

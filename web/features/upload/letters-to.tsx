import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ADDRESS_CONFIRM_HOURS } from '../../../src/contract/limits.ts'
import { ownerLetters, lettersTo as texts } from '../../../src/texts/english/album-owner.ts'
import { focusContent } from '../../lib/focus.ts'
import { keepAlbum } from '../../lib/keep-albums.ts'
import { savedAlbum } from '../../lib/own-albums.ts'
import type { Organiser } from '../../lib/persisted.ts'
import { trpc } from '../../trpc.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import { LetterAddressForm } from '../own-albums/letter-address-form.tsx'
import type { OnAlbum } from './service.ts'

export interface LettersToProps {
  organiser: Organiser
  onAlbum: OnAlbum
  canChange: boolean
}

/** Shows before an upload where its letter will go, and lets the owner correct the address. */
export function LettersTo({ organiser, onAlbum, canChange }: LettersToProps) {
  const { client } = trpc.useUtils()
  const [isOpen, setIsOpen] = useState(false)
  const { data: waiting, refetch } = useQuery({
    queryKey: ['letterAddress', organiser.userAlbumId],
    // The album's page may change it meanwhile.
    gcTime: 0,
    queryFn: async () => (await onAlbum((id) => client.albums.letterAddress.query({ id }))).waiting,
  })
  // In full: a shortened address does not show that it was mistyped. Entering the album saves the one that the service has.
  const { userEmail: address } = savedAlbum(organiser)

  async function change(email: string) {
    const { waiting } = await onAlbum((id) => client.albums.changeLetterAddress.mutate({ id, email }))
    if (!waiting) keepAlbum({ ...savedAlbum(organiser), userEmail: email })
    await refetch()
  }

  function close() {
    setIsOpen(false)
    focusContent()
  }

  const shown = (text: string) => <bdi className="font-medium break-words text-ink">{text}</bdi>
  return (
    <div className="mb-6">
      <p className="text-ink-soft">
        <Sentence of={texts.goTo(shown(address))} />
        {canChange && !isOpen && (
          <Button look="quiet" className="ml-1" onClick={() => setIsOpen(true)}>
            {ownerLetters.change}
          </Button>
        )}
      </p>
      {waiting && (
        <p className="text-ink-soft">
          <Sentence of={ownerLetters.wait(shown(waiting.address), ADDRESS_CONFIRM_HOURS)} />
        </p>
      )}
      {canChange && isOpen && (
        <Card className="mt-3">
          <LetterAddressForm present={address} change={change} onClose={close} />
        </Card>
      )}
    </div>
  )
}

import { useState } from 'react'
import { ADDRESS_CONFIRM_HOURS } from '../../../../src/contract/limits.ts'
import { ownerLetters as texts } from '../../../../src/texts/english/album-owner.ts'
import { useFocusAfter } from '../../../lib/focus.ts'
import { trpc } from '../../../trpc.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureNotice } from '../../../ui/loading.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Sentence } from '../../../ui/sentence.tsx'
import { LetterAddressForm } from '../../own-albums/letter-address-form.tsx'
import { DeskCard } from '../desk-card.tsx'

/** Shows the owner where the letters about the album go, and lets them change it. */
export function OwnerLetters({ albumId }: { albumId: string }) {
  const utils = trpc.useUtils()
  const { data, error, refetch } = trpc.albums.letterAddress.useQuery({ id: albumId })
  const [isOpen, setIsOpen] = useState(false)
  const heading = useFocusAfter<HTMLHeadingElement>(isOpen)

  async function change(email: string) {
    const changed = await utils.client.albums.changeLetterAddress.mutate({ id: albumId, email })
    utils.albums.letterAddress.setData({ id: albumId }, changed)
  }

  const hasFailed = !data && error !== null
  return (
    <DeskCard title={texts.title} headingRef={heading}>
      {data && <Addresses {...data} />}
      {/* Takes the same space while the address is unknown, so that what is below does not move. */}
      {!data && !hasFailed && <p className="mt-1">{'\u00a0'}</p>}
      <FailureNotice error={hasFailed && error} className="mt-4" title={texts.notLoaded} onRetry={refetch} />
      {!hasFailed && !isOpen && (
        <Button
          look="secondary"
          className="mt-4 max-sm:w-full"
          disabled={!data}
          onClick={() => setIsOpen(true)}
        >
          {data?.waiting ? texts.changeAgain : texts.change}
        </Button>
      )}
      {isOpen && (
        <div className="mt-5">
          <LetterAddressForm change={change} onClose={() => setIsOpen(false)} />
        </div>
      )}
    </DeskCard>
  )
}

function Addresses({ address, waiting }: { address: string; waiting: { address: string } | null }) {
  const shown = (text: string) => <bdi className="break-words font-medium text-ink">{text}</bdi>
  return (
    <>
      <p className="mt-1 text-ink-soft">
        <Sentence of={texts.goTo(shown(address))} />
      </p>
      {waiting && (
        <Notice tone="info" className="mt-4">
          <Sentence of={texts.wait(shown(waiting.address), ADDRESS_CONFIRM_HOURS)} />
        </Notice>
      )}
    </>
  )
}

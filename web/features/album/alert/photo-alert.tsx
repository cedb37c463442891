import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ALERT_CONSENT } from '../../../../src/contract/alert-consent.ts'
import { ALERT_CONFIRM_HOURS, ALERT_DAYS, EMAIL_MAX_LENGTH } from '../../../../src/contract/limits.ts'
import { photoAlert as texts } from '../../../../src/texts/english/opt-outs.ts'
import { useFocusAfter } from '../../../lib/focus.ts'
import { formatDate } from '../../../lib/format.ts'
import { patiently } from '../../../lib/patience.ts'
import { KEPT, type KeptAlert } from '../../../lib/persisted.ts'
import { trpc } from '../../../trpc.ts'
import { MailIcon } from '../../../ui/action-icons.tsx'
import { Button } from '../../../ui/button.tsx'
import { FailureNotice } from '../../../ui/loading.tsx'
import { OneFieldForm } from '../../own-albums/one-field-form.tsx'
import { ConsentTick } from '../../photos/consent.tsx'
import { searchAlbum } from '../search/api.ts'
import { OfferCard } from '../search/offer-card.tsx'
import { useFound, useSearch } from '../search/use-search.tsx'

/** Lets the visitor get a letter when there are more photos of them, or says that they have asked for that and how to end
 *  it. */
export function PhotoAlert() {
  const { albumName } = useSearch()
  const { client } = trpc.useUtils()
  const [isOpen, setIsOpen] = useState(false)
  const [kept, setKept] = useState(() => KEPT.alert.read(albumName))

  function show(now: KeptAlert | null) {
    // If the browser can keep nothing, the links in the letters still end the letters.
    if (now) KEPT.alert.write(now, albumName)
    else KEPT.alert.forget(albumName)
    setKept(now)
    setIsOpen(false)
  }

  // The address is confirmed, and letters end, on other pages, too.
  const { data } = useQuery({
    queryKey: ['alert-state', kept?.endToken],
    async queryFn() {
      const { state } = await client.alerts.read.mutate({ token: kept!.endToken })
      if (state === 'ended') show(null)
      return state
    },
    enabled: kept !== null,
    staleTime: 0,
  })
  const isConfirmed = data === 'confirmed'
  const ending = trpc.alerts.end.useMutation({ onSuccess: () => show(null) })

  // When the letters were ended on another page, the focus stays where it is.
  const heading = useFocusAfter<HTMLHeadingElement>(`${isOpen} ${ending.isSuccess}`)

  return (
    <OfferCard
      id="photo-alert"
      icon={<MailIcon className="size-5 shrink-0 text-ink-soft" />}
      title={kept && !isOpen ? texts.on : texts.offer}
      heading={heading}
      text={textOf(isOpen ? null : kept, isConfirmed)}
      action={
        <>
          {!isOpen && !isConfirmed && (
            <Button look={kept ? 'quiet' : 'secondary'} onClick={() => setIsOpen(true)}>
              {kept ? texts.sendAgain : texts.open}
            </Button>
          )}
          {!isOpen && kept && (
            <Button
              look="secondary"
              busy={ending.isPending}
              disabled={ending.isPending}
              onClick={() => ending.mutate({ token: kept.endToken })}
            >
              {texts.end}
            </Button>
          )}
        </>
      }
    >
      {isOpen && <AlertForm onAdded={show} onClose={() => setIsOpen(false)} />}
      <FailureNotice error={!isOpen && ending.error} className="mt-4" title={texts.notEnded} />
    </OfferCard>
  )
}

function textOf(kept: KeptAlert | null, isConfirmed: boolean): string {
  if (!kept) return texts.explanation(ALERT_DAYS)
  const end = formatDate(kept.endsAt)
  return isConfirmed ? texts.isOn(end) : texts.asked(ALERT_CONFIRM_HOURS, end)
}

/** Takes the visitor's address and consent. */
function AlertForm({ onAdded, onClose }: { onAdded: (added: KeptAlert) => void; onClose: () => void }) {
  const { albumName, consent } = useSearch()
  const { person } = useFound()
  const { client } = trpc.useUtils()
  const [agrees, setAgrees] = useState(false)

  async function ask(email: string) {
    const alone = { ...person, isToRemember: false, other: undefined }
    const { searchToken = '' } = await patiently(() => searchAlbum(albumName, alone, consent))
    const { version: consentVersion } = ALERT_CONSENT
    const alert = { albumName, email, searchToken, consent: true, consentVersion } as const
    onAdded(await client.albums.addAlert.mutate(alert))
  }

  return (
    <div className="mt-5 max-w-read">
      <OneFieldForm
        name="email"
        label={texts.email}
        type="email"
        maxLength={EMAIL_MAX_LENGTH}
        autoComplete="email"
        hint={texts.emailHint}
        texts={{ save: texts.send, saving: texts.sending, notSaved: texts.notSent }}
        change={ask}
        isReady={agrees}
        onClose={onClose}
      >
        <div className="text-sm">
          <ConsentTick text={ALERT_CONSENT.text} checked={agrees} onTick={setAgrees} />
        </div>
      </OneFieldForm>
    </div>
  )
}

import { useRef, useState } from 'react'
import type { AlbumSettings } from '../../../src/contract/albums/album-settings.ts'
import { CONSENT, PARENTS_CONSENT } from '../../../src/contract/wording.ts'
import { reasonOf } from '../../lib/failure.ts'

export type Consent = ReturnType<typeof useConsent>
export type Agreed = Pick<Consent, 'isTicked'> & Partial<Pick<Consent, 'agreed'>>

/** What the visitor agrees to before a search with a selfie. The press of the button is the consent; some albums ask for
 *  a tick, too.
 *  @param album undefined while its settings are not known */
export function useConsent(album?: Pick<AlbumSettings, 'consentTick' | 'forChildren'>) {
  const box = useRef<HTMLInputElement>(null)
  const [wasRefused, setWasRefused] = useState(false)
  const [isTicked, setIsTicked] = useState(false)
  const [isMissing, setIsMissing] = useState(false)
  const asksForTick = album?.consentTick === 'on' || wasRefused
  const byParents = album?.forChildren === 'on'
  return {
    /** The album is for children, so their parents search. */
    byParents,
    /** What a tick agrees to, and its version. */
    agreed: byParents ? PARENTS_CONSENT : CONSENT,
    /** The album asks for a tick. */
    asksForTick,
    isTicked,
    /** The visitor has pressed the button without the tick. */
    isMissing,
    box,
    tick(next: boolean) {
      setIsTicked(next)
      setIsMissing(false)
    },
    /** Whether the search may begin. If not, the box has the focus and says what is missing. */
    check() {
      const isGiven = isTicked || !asksForTick
      setIsMissing(!isGiven)
      if (!isGiven) box.current?.focus()
      return isGiven
    },
    /** Shows the box when the service asks for the tick: the organiser may have just begun to ask for it. */
    learnFrom(error: unknown) {
      if (reasonOf(error) === 'consent_needed') setWasRefused(true)
    },
  }
}

/** Says in the form of a search what the visitor has agreed to. */
export function appendConsent(form: FormData, { isTicked, agreed = CONSENT }: Agreed): void {
  form.append('consentVersion', String(agreed.version))
  form.append('consent', String(isTicked))
}

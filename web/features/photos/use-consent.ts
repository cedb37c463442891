import { type RefObject, useRef, useState } from 'react'
import { CONSENT } from '../../../src/contract/wording.ts'
import { reasonOf } from '../../lib/failure.ts'

export interface Consent {
  /** The album asks for a tick. */
  asksForTick: boolean
  isTicked: boolean
  /** The visitor has pressed the button without the tick. */
  isMissing: boolean
  box: RefObject<HTMLInputElement | null>
  tick(isTicked: boolean): void
  /** Whether the search may begin. If not, the box has the focus and says what is missing. */
  check(): boolean
  /** Shows the box when the service asks for the tick: the organiser may have just begun to ask for it. */
  learnFrom(error: unknown): void
}

/** What the visitor agrees to before a search with a selfie. The press of the button is the consent; some albums ask for
 *  a tick, too. */
export function useConsent(asks: boolean): Consent {
  const box = useRef<HTMLInputElement>(null)
  const [wasRefused, setWasRefused] = useState(false)
  const [isTicked, setIsTicked] = useState(false)
  const [isMissing, setIsMissing] = useState(false)
  const asksForTick = asks || wasRefused
  return {
    asksForTick,
    isTicked,
    isMissing,
    box,
    tick(next) {
      setIsTicked(next)
      setIsMissing(false)
    },
    check() {
      const isGiven = isTicked || !asksForTick
      setIsMissing(!isGiven)
      if (!isGiven) box.current?.focus()
      return isGiven
    },
    learnFrom(error) {
      if (reasonOf(error) === 'consent_needed') setWasRefused(true)
    },
  }
}

/** Says in the form of a search what the visitor has agreed to. */
export function appendConsent(form: FormData, { isTicked }: Pick<Consent, 'isTicked'>): void {
  form.append('consentVersion', String(CONSENT.version))
  form.append('consent', String(isTicked))
}

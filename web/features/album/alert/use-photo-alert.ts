import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ALERT_CONSENT } from '../../../../src/contract/alert-consent.ts'
import type { AddedAlert } from '../../../../src/contract/alerts.ts'
import { trpc } from '../../../trpc.ts'
import type { Consent } from '../../photos/use-consent.ts'
import { StoppedWaiting, useSelfiePatience } from '../../photos/use-selfie-patience.ts'
import { searchAlbum } from '../search/api.ts'
import type { Found } from '../search/found.ts'
import { forgetKeptAlert, type KeptAlert, keepAlert, readKeptAlert } from './kept-alert.ts'
import { useAlertState } from './use-alert-state.ts'

export interface PhotoAlertState {
  /** What was asked for in this browser. */
  kept: KeptAlert | null
  /** Whether its address is confirmed; false while that is unknown, too. */
  isConfirmed: boolean
  /** Whether its address still has to be confirmed. */
  isWaiting: boolean
  /** The address that a letter was sent to in this visit. */
  sentTo: string | undefined
  isAsking: boolean
  /** Why asking has failed. */
  failure: Error | null
  ask(email: string): void
  isEnding: boolean
  /** Why ending has failed. */
  endFailure: Error | null
  end(): void
}

/** Letters about new photos of the visitor of an album. */
export function usePhotoAlert(albumName: string, found: Found, consent: Consent): PhotoAlertState {
  const [kept, setKept] = useState(() => readKeptAlert(albumName))
  const { client } = trpc.useUtils()
  const { patiently } = useSelfiePatience()

  const asking = useMutation({
    async mutationFn(email: string): Promise<AddedAlert> {
      const person = { ...found.person, answers: found.answers, isToRemember: false, other: undefined }
      const { searchToken } = await patiently(() => searchAlbum(albumName, person, consent))
      if (!searchToken) throw new Error('The search gave no token')
      const { version: consentVersion } = ALERT_CONSENT
      return await client.albums.addAlert.mutate({
        ...{ albumName, email, searchToken },
        ...{ consent: true, consentVersion },
      })
    },
    onSuccess(added) {
      keepAlert(albumName, added)
      setKept(added)
    },
  })

  const ending = useMutation({
    mutationFn: (token: string) => client.alerts.end.mutate({ token }),
    onSuccess: forget,
  })

  function forget() {
    forgetKeptAlert(albumName)
    setKept(null)
    asking.reset()
  }

  const state = useAlertState(kept, forget)

  return {
    kept,
    isConfirmed: state === 'confirmed',
    isWaiting: state === 'waiting',
    sentTo: asking.isSuccess ? asking.variables : undefined,
    isAsking: asking.isPending,
    failure: asking.error instanceof StoppedWaiting ? null : asking.error,
    ask: asking.mutate,
    isEnding: ending.isPending,
    endFailure: ending.error,
    end() {
      if (kept) ending.mutate(kept.endToken)
    },
  }
}

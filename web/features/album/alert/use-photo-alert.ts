import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ALERT_CONSENT } from '../../../../src/contract/alert-consent.ts'
import { patiently } from '../../../lib/patience.ts'
import { KEPT } from '../../../lib/persisted.ts'
import { trpc } from '../../../trpc.ts'
import { searchAlbum } from '../search/api.ts'
import { useFound, useSearch } from '../search/use-search.tsx'

/** Letters about new photos of the visitor of an album.
 *  @param onAsked a letter is on its way */
export function usePhotoAlert(onAsked: () => void) {
  const { albumName, consent } = useSearch()
  const { person } = useFound()
  const { client } = trpc.useUtils()
  const [stored, setStored] = useState(() => KEPT.alert.read(albumName))

  const asking = useMutation({
    async mutationFn(email: string) {
      const alone = { ...person, isToRemember: false, other: undefined }
      const { searchToken } = await patiently(() => searchAlbum(albumName, alone, consent))
      if (!searchToken) throw new Error('The search gave no token')
      const { version: consentVersion } = ALERT_CONSENT
      return await client.albums.addAlert.mutate({
        ...{ albumName, email, searchToken },
        ...{ consent: true, consentVersion },
      })
    },
    onSuccess(added) {
      // If the browser can keep nothing, the links in the letters still end the letters.
      KEPT.alert.write(added, albumName)
      setStored(added)
      onAsked()
    },
  })

  const ending = useMutation({
    mutationFn: (token: string) => client.alerts.end.mutate({ token }),
    onSuccess() {
      KEPT.alert.forget(albumName)
      setStored(null)
      asking.reset()
    },
  })

  // The address is confirmed, and letters end, on other pages, too.
  const token = stored?.endToken ?? ''
  const { data } = useQuery({
    queryKey: ['alert-state', token],
    async queryFn() {
      const answer = await client.alerts.read.mutate({ token })
      if (answer.state === 'ended') KEPT.alert.forget(albumName)
      return answer
    },
    enabled: token !== '',
    staleTime: 0,
    refetchOnWindowFocus: true,
  })
  const hasEnded = data?.state === 'ended'

  return {
    asking,
    ending,
    /** What was asked for in this browser. */
    kept: hasEnded ? null : stored,
    /** Whether its address is confirmed; undefined while that is unknown. */
    isConfirmed: data && data.state === 'confirmed',
    /** The address that a letter was sent to in this visit. */
    sentTo: asking.isSuccess && !hasEnded ? asking.variables : undefined,
  }
}

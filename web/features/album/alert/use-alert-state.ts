import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import type { AlertState } from '../../../../src/contract/alerts.ts'
import { trpc } from '../../../trpc.ts'
import type { KeptAlert } from './kept-alert.ts'

/** What has become of the letters that were asked for in this browser: the address is confirmed, and letters end, on other
 *  pages. Asked again when the visitor comes back to this one.
 *  @returns undefined while it is unknown */
export function useAlertState(kept: KeptAlert | null, onEnded: () => void): AlertState | undefined {
  const { client } = trpc.useUtils()
  const token = kept?.endToken ?? ''
  const { data } = useQuery({
    queryKey: ['alert-state', token],
    queryFn: () => client.alerts.read.mutate({ token }),
    enabled: token !== '',
    staleTime: 0,
    refetchOnWindowFocus: true,
  })
  const state = data?.state
  const end = useEffectEvent(onEnded)
  useEffect(() => {
    if (state === 'ended') end()
  }, [state])
  return state
}

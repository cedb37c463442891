import { useLocation, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { trpc } from '../../trpc.ts'

export type SetupLink =
  | { state: 'none' }
  | { state: 'opening' }
  | { state: 'open' }
  | { state: 'failed'; error: unknown; retry: () => void }

/** Opens the set-up link that led to this page (`#setup=TOKEN`), which gives this browser's session the maintainer's
 *  rights. The token is removed from the address bar and the browser's history. */
export function useSetupLink(): SetupLink {
  const { history } = useRouter()
  const token = new URLSearchParams(useLocation({ select: ({ hash }) => hash })).get('setup')
  const { mutate: open, ...opening } = trpc.mailSetup.openSetupLink.useMutation()
  useEffect(() => {
    if (token === null) return
    history.replace(window.location.pathname)
    open({ token })
  }, [history, open, token])

  if (token !== null || opening.isPending) return { state: 'opening' }
  if (opening.isSuccess) return { state: 'open' }
  if (!opening.isError) return { state: 'none' }
  return { state: 'failed', error: opening.error, retry: () => open(opening.variables) }
}

import { useEffect } from 'react'
import { useFragment } from '../../lib/use-fragment.ts'
import { trpc } from '../../trpc.ts'

/** `none`: the visitor came without a set-up link. `opening`: the service checks it. `open`: the session has the
 *  maintainer's rights. `failed`: the service refused the link or did not answer. */
export type SetupLink =
  | { state: 'none' }
  | { state: 'opening' }
  | { state: 'open' }
  | { state: 'failed'; error: unknown; retry: () => void }

/** Opens the set-up link that led to this page (`#setup=TOKEN`), which gives this browser's session the maintainer's
 *  rights. */
export function useSetupLink(): SetupLink {
  const token = useFragment('setup')
  const { mutate: open, ...opening } = trpc.mailSetup.openSetupLink.useMutation()
  useEffect(() => {
    if (token !== undefined) open({ token })
  }, [open, token])

  if (token !== undefined || opening.isPending) return { state: 'opening' }
  if (opening.isSuccess) return { state: 'open' }
  if (!opening.isError) return { state: 'none' }
  return { state: 'failed', error: opening.error, retry: () => open(opening.variables) }
}

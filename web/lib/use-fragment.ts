import { useLocation, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'

/** A secret in the part of the address behind the `#`, as in `#setup=SECRET`, which browsers send to no server. It is
 *  removed from the address bar and the browser's history at once, so later renderings get undefined. */
export function useFragment(name: string): string | undefined {
  const { history } = useRouter()
  const { hash, pathname, searchStr } = useLocation()
  // A mail program may have encoded the = as well.
  const secret = new URLSearchParams(hash.replace(/%3D/i, '=')).get(name) ?? undefined
  useEffect(() => {
    if (secret !== undefined) history.replace(pathname + searchStr)
  }, [history, secret, pathname, searchStr])
  return secret
}

import { useLocation, useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'

/** A secret in the part of the address behind the `#`, as in `#setup=SECRET`, which browsers send to no server. It is
 *  removed from the address bar and the browser's history at once, so later renderings get undefined.
 *  @param onFound gets it once */
export function useFragment(name: string, onFound?: (secret: string) => void): string | undefined {
  const { history } = useRouter()
  const { hash, pathname, searchStr } = useLocation()
  // A mail program may have encoded the = as well.
  const secret = new URLSearchParams(hash.replace(/%3D/i, '=')).get(name) ?? undefined
  const use = useEffectEvent((found: string) => {
    history.replace(pathname + searchStr)
    onFound?.(found)
  })
  useEffect(() => {
    if (secret !== undefined) use(secret)
  }, [secret])
  return secret
}

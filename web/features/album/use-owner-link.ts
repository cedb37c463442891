import { useLocation, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ownerKeyIn } from '../../../src/contract/owner-link.ts'

/** The owner key of the private link that led to this page. It is removed from the address bar and the browser's history
 *  at once, so later renderings get undefined. */
export function useOwnerLink(): string | undefined {
  const { history } = useRouter()
  const { hash, pathname, searchStr } = useLocation()
  const ownerKey = ownerKeyIn(hash)
  useEffect(() => {
    if (ownerKey !== undefined) history.replace(pathname + searchStr)
  }, [history, ownerKey, pathname, searchStr])
  return ownerKey
}

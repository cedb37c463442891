import { useLocation, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { trpc } from '../../trpc.ts'

/** An album that is opened through the link of a letter has a token behind the `#`. Removes it from the address bar and
 *  the browser's history, and gives it to the service, which then knows that the letter reached somebody who wants it.
 *  If the call fails, the visitor loses nothing, and the next visit through the letter repeats it. */
export function useLetterLink(): void {
  const { history } = useRouter()
  const { hash, pathname, searchStr } = useLocation()
  const { mutate } = trpc.letters.confirm.useMutation()
  const token = new URLSearchParams(hash).get('letter')

  useEffect(() => {
    if (token === null) return
    history.replace(pathname + searchStr)
    mutate({ token })
  }, [token, history, pathname, searchStr, mutate])
}

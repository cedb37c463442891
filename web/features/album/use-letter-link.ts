import { useEffect } from 'react'
import { useFragment } from '../../lib/use-fragment.ts'
import { trpc } from '../../trpc.ts'

/** An album that is opened through the link of a letter has a token behind the `#`. Gives it to the service, which then
 *  knows that the letter reached somebody who wants it. If the call fails, the visitor loses nothing, and the next
 *  visit through the letter repeats it. */
export function useLetterLink(): void {
  const { mutate } = trpc.letters.confirm.useMutation()
  const token = useFragment('letter')
  useEffect(() => {
    if (token !== undefined) mutate({ token })
  }, [token, mutate])
}

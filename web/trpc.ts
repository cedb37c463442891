import { QueryClient } from '@tanstack/react-query'
import { httpLink, TRPCClientError } from '@trpc/client'
import { createTRPCReact } from '@trpc/react-query'
import type { AppRouter } from '../src/api/router.ts'

export const trpc = createTRPCReact<AppRouter>()

/** A failure that the service did not write itself: of a proxy in between, say. It is the cause of the call's
 *  error. */
class ForeignFailure extends Error {
  override readonly name = 'ForeignFailure'
  readonly answer: Response

  constructor(answer: Response) {
    super(`HTTP ${answer.status}`)
    this.answer = answer
  }
}

/** The answer that a failed call got; null when none came. */
export function failedAnswer(error: unknown): Response | null {
  if (!(error instanceof TRPCClientError)) return null
  const answer = error.cause instanceof ForeignFailure ? error.cause.answer : error.meta?.response
  return answer instanceof Response ? answer : null
}

export const trpcClient = trpc.createClient({
  links: [
    httpLink({
      url: '/trpc',
      fetch: async (url, options) => {
        const answer = await fetch(url, { ...options, credentials: 'include' })
        const isJson = answer.headers.get('content-type')?.includes('json')
        if (!answer.ok && !isJson) throw new ForeignFailure(answer)
        return answer
      },
    }),
  ],
})

/** The defaults of §7 and §9: asked once, never stale, kept five minutes after the last use. A call without a
 *  network fails like any other; by default it would wait for the network without a word. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: false,
      staleTime: Infinity,
      gcTime: 5 * 60_000,
      refetchOnWindowFocus: false,
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})

/** The sentence the service wrote for the visitor, or null when no answer of the service came. */
export function serverMessage(error: unknown): string | null {
  return error instanceof TRPCClientError && error.shape ? error.message : null
}

/** What to tell the visitor of a call that failed. */
export function errorText(error: unknown): string {
  return serverMessage(error) ?? 'The service could not be reached. Please check your internet connection.'
}

/** Whether the service says that it failed itself. */
export function isOurFault(error: unknown): boolean {
  return error instanceof TRPCClientError && error.data?.httpStatus >= 500
}

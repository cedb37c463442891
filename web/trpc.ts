import { QueryClient } from '@tanstack/react-query'
import { httpLink, TRPCClientError } from '@trpc/client'
import { createTRPCReact } from '@trpc/react-query'
import type { AppRouter } from '../src/api/router.ts'

export const trpc = createTRPCReact<AppRouter>()

export const trpcClient = trpc.createClient({
  links: [
    httpLink({
      url: '/trpc',
      fetch: (url, options) => fetch(url, { ...options, credentials: 'include' }),
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

import { QueryClient } from '@tanstack/react-query'
import { httpLink } from '@trpc/client'
import { createTRPCReact } from '@trpc/react-query'
import type { AppRouter } from '../src/api/router.ts'
import { connectionLost, readAnswer, unreadableAnswer } from './lib/failure.ts'

export const trpc = createTRPCReact<AppRouter>()

export const trpcClient = trpc.createClient({ links: [httpLink({ url: '/trpc', fetch: callService })] })

/** Like fetch. Throws RequestFailure when the call has failed. It becomes the cause of the call's error. */
async function callService(url: RequestInfo | URL | string, options?: RequestInit): Promise<Response> {
  let answer: Response
  try {
    answer = await fetch(url, { ...options, credentials: 'include' })
  } catch (error) {
    throw options?.signal?.aborted ? error : connectionLost()
  }
  if (!answer.ok) throw await readAnswer(answer)
  if (!answer.headers.get('content-type')?.includes('json')) throw unreadableAnswer(answer.status)
  return answer
}

/** The defaults of §7 and §9: no retry, never stale, kept for five minutes after the last use. A call without a
 *  network fails like any other. By default it would wait for the network, and the visitor would see nothing. */
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

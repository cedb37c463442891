import { QueryClientProvider } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { queryClient, trpc, trpcClient } from './trpc.ts'
import { prepareToaster } from './ui/toast-store.ts'

prepareToaster()

/** Surrounds the pages that call the service. It is loaded with the first of them, so that the landing page and the
 *  legal texts stay light. */
export default function DataLayer() {
  return (
    <trpc.Provider client={trpcClient} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <Outlet />
      </QueryClientProvider>
    </trpc.Provider>
  )
}

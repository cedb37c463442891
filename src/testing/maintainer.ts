import { createSetupLink } from '../admin/setup-link.ts'
import type { TestApp } from './app.ts'
import { createClient, type TestClient } from './client.ts'

/** A new set-up link of the service, and its token. */
export async function newSetupLink({ url, context }: TestApp): Promise<{ link: string; token: string }> {
  const link = await createSetupLink(context.db, url)
  return { link, token: link.split('#setup=')[1]! }
}

/** A client whose session a set-up link has opened. */
export async function maintainerOf(service: TestApp): Promise<TestClient> {
  const client = createClient(service.url)
  const { token } = await newSetupLink(service)
  const { status } = await client.post('/trpc/mailSetup.openSetupLink', { token })
  if (status !== 200) throw new Error(`The set-up link answered ${status}`)
  return client
}

import { createSetupLink } from '../src/admin/setup-link.ts'
import type { Context } from '../src/context.ts'
import { siteUrlOf } from '../src/context.ts'
import { openContext } from './command-context.ts'

/** Makes a new set-up link. @throws Error that says what to use instead, when there are no set-up links */
export async function setupLinkCommand(env: NodeJS.ProcessEnv): Promise<string> {
  const context = await openContext(env)
  try {
    return await newLink(context)
  } finally {
    await context.close()
  }
}

async function newLink({ config, services }: Context): Promise<string> {
  if (config.maintainerAccess.kind === 'setup-link')
    return await createSetupLink(services.db, siteUrlOf(config, config.port))
  throw new Error(
    config.maintainerAccess.kind === 'token'
      ? 'ADMIN_TOKEN is set, so there are no set-up links. Open /gmail-oauth and log in with it.'
      : 'Other machines can reach this Inframe, so there are no set-up links. Set ADMIN_TOKEN and restart Inframe. Then open /gmail-oauth and log in with it.',
  )
}

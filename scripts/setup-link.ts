import { ConfigError } from '../src/config.ts'
import { type Context, siteUrlOf } from '../src/context.ts'
import { createSetupLink } from '../src/maintainer/setup-link.ts'
import { openContext } from './command-context.ts'

/** Prints a new set-up link, for an Inframe that serves only its own machine. Inframe may keep running. */
try {
  const context = await openContext()
  try {
    console.log(await newLink(context))
  } finally {
    await context.close()
  }
} catch (error) {
  const known = error instanceof ConfigError || (error instanceof Error && error.name === 'Error')
  console.error(known ? (error as Error).message : error)
  process.exitCode = 1
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

import { createSetupLink } from '../src/admin/setup-link.ts'
import { openContext, runCommand } from './command-context.ts'

/** Prints a new set-up link, for an Inframe that serves only its own machine. Inframe may keep running.
 *  @throws Error that says what to use instead, when there are no set-up links */
export async function setupLinkCommand(env: NodeJS.ProcessEnv, print: (text: string) => void): Promise<void> {
  const { config, db, siteUrl, close } = await openContext(env, print)
  try {
    if (config.maintainerAccess.kind === 'setup-link') return print(await createSetupLink(db, siteUrl))
    throw new Error(
      config.maintainerAccess.kind === 'token'
        ? 'ADMIN_TOKEN is set, so there are no set-up links. Open /gmail-oauth and log in with it.'
        : 'Other machines can reach this Inframe, so there are no set-up links. Set ADMIN_TOKEN and restart Inframe. Then open /gmail-oauth and log in with it.',
    )
  } finally {
    await close()
  }
}

if (import.meta.main) await runCommand(() => setupLinkCommand(process.env, console.log))

import { runCommand } from './run-command.ts'
import { setupLinkCommand } from './setup-link-command.ts'

/** Prints a new set-up link, for an Inframe that serves only its own machine. Inframe may keep running. */
await runCommand(async () => console.log(await setupLinkCommand(process.env)))

import { ConfigError } from '../src/config.ts'

/** Runs the work of a command. If it fails, the message is printed, without a stack if it is meant for the person at the
 *  terminal, and the exit code is 1. */
export async function runCommand(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const known = error instanceof ConfigError || (error instanceof Error && error.name === 'Error')
    console.error(known ? (error as Error).message : error)
    process.exitCode = 1
  }
}

const steps: (() => Promise<void>)[] = []

/** Notes what has to be undone however the bench ends. To be called before what it undoes is begun.
 *  @returns the step itself, to be taken earlier; it is taken once. */
export function undoLater(step: () => Promise<void>): () => Promise<void> {
  let taken: Promise<void> | undefined
  const take = () => {
    taken ??= step()
    return taken
  }
  steps.push(take)
  return take
}

/** Undoes all, the latest first; one that fails is told and keeps no other from being undone. */
export async function undoAll(): Promise<void> {
  for (let step = steps.pop(); step; step = steps.pop())
    await step().catch((error) => {
      console.error(error)
      process.exitCode = 1
    })
}

/** Undoes all on Ctrl-C, too. */
export function undoWhenInterrupted(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, async () => {
      console.error('\nInterrupted. Stopping what was started …')
      await undoAll()
      process.exit(130)
    })
}

const steps: (() => Promise<void>)[] = []
let undoing = Promise.resolve()
let isInterrupted = false

/** Registers a step that undoes something when the bench ends, also on Ctrl-C. Call it before awaiting what has to be
 *  undone, since a signal may come in between.
 *  @returns a function that runs the step earlier; the step runs only once. */
export function undoLater(step: () => Promise<void>): () => Promise<void> {
  let taken: Promise<void> | undefined
  const take = () => {
    taken ??= step()
    return taken
  }
  steps.push(take)
  return take
}

/** Runs `work`, then all registered steps that have not run yet. */
export async function cleaningUp(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    // After Ctrl-C the work fails because its servers are being stopped.
    if (!isInterrupted) throw error
  } finally {
    await undoAll()
  }
}

/** On Ctrl-C and SIGTERM, runs all registered steps and ends the process. */
export function undoWhenInterrupted(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, async () => {
      isInterrupted = true
      console.error('\nInterrupted. Stopping the servers and removing temporary files.')
      await undoAll()
      process.exit(130)
    })
}

/** Runs the registered steps, the newest first. Prints the error of a step that fails, and continues. */
function undoAll(): Promise<void> {
  undoing = undoing.then(async () => {
    for (let step = steps.pop(); step; step = steps.pop())
      await step().catch((error) => {
        console.error(error)
        process.exitCode = 1
      })
  })
  return undoing
}

const steps: (() => Promise<void>)[] = []
let undoing = Promise.resolve()
let isInterrupted = false

/** Notes what has to be undone however the bench ends. To be called as soon as that begins, before it is awaited:
 *  a signal may come in between.
 *  @returns the step, to be taken earlier; it is taken once. */
export function undoLater(step: () => Promise<void>): () => Promise<void> {
  let taken: Promise<void> | undefined
  const take = () => {
    taken ??= step()
    return taken
  }
  steps.push(take)
  return take
}

/** Does some work, then undoes all that is left of it, also on Ctrl-C, which ends the process. */
export async function cleaningUp(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    // What breaks because its server is being stopped is no news.
    if (!isInterrupted) throw error
  } finally {
    await undoAll()
  }
}

export function undoWhenInterrupted(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, async () => {
      isInterrupted = true
      console.error('\nInterrupted: stopping what was started.')
      await undoAll()
      process.exit(130)
    })
}

/** The latest step first. One that fails is told and keeps no other from being taken. */
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

const steps: (() => Promise<unknown>)[] = []

/** Registers a step that undoes something when the bench ends, also on Ctrl-C.
 *  @returns a function that runs the step earlier; the step runs only once */
export function undoLater(step: () => Promise<unknown>): () => Promise<unknown> {
  let taken: Promise<unknown> | undefined
  const take = () => {
    taken ??= step()
    return taken
  }
  steps.push(take)
  return take
}

/** Runs the steps that have not run yet, the newest first. Prints the error of a step that fails, and continues. */
export async function undoAll(): Promise<void> {
  for (let step = steps.pop(); step; step = steps.pop())
    await step().catch((error) => {
      console.error(error)
      process.exitCode = 1
    })
}

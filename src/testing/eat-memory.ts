/** Takes more and more memory, and lets the process do other things meanwhile. */
export async function eatMemory(): Promise<never> {
  const eaten: Buffer[] = []
  for (;;) {
    eaten.push(Buffer.alloc(8_000_000, 1))
    await new Promise(setImmediate)
  }
}

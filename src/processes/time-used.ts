/** Ms after which half of what an owner has used is forgotten. */
const HALF_LIFE_MS = 30_000
/** What is less than this many ms is forgotten. */
const NEGLIGIBLE_MS = 50

/** How much time each owner has used lately. */
export interface TimeUsed {
  /** @param ms how long the owner's task ran. It has just ended */
  add(owner: string, ms: number): void
  /** @returns ms. What was used longer ago counts less */
  of(owner: string): number
}

/** @param now ms of a clock that never goes back */
export function createTimeUsed(now: () => number): TimeUsed {
  const accounts = new Map<string, { ms: number; at: number }>()

  function of(owner: string): number {
    const account = accounts.get(owner)
    return account ? account.ms * 0.5 ** ((now() - account.at) / HALF_LIFE_MS) : 0
  }

  return {
    of,
    add(owner, ms) {
      accounts.set(owner, { ms: of(owner) + ms, at: now() })
      for (const other of accounts.keys()) if (of(other) < NEGLIGIBLE_MS) accounts.delete(other)
    },
  }
}

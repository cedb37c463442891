/** Guests' searches, photos to be indexed, and everything else. */
export type Lane = 'search' | 'index' | 'manage'

/** Keeps calls within the account's quotas: waits for a permit, calls, and calls again what failed in passing. */
export interface Governor {
  run<Answer>(lane: Lane, call: (signal: AbortSignal) => Promise<Answer>): Promise<Answer>
  close(): Promise<void>
}

/** When guests may come into an album. The owner always may. */
export interface Opening {
  opens_at: Date | null
  closes_at: Date | null
}

/** Whether guests may come in. */
export function isOpen({ opens_at, closes_at }: Opening, now = new Date()): boolean {
  return (opens_at === null || opens_at <= now) && (closes_at === null || now < closes_at)
}

import { createFairQueue } from './fair-queue.ts'

export interface TurnLimits {
  /** Pieces of work at once. */
  places: number
  /** Those of one owner. Fewer than `places`, so that the next owner finds a place at once. */
  perOwner: number
  /** Those for one thing, of all owners together. */
  perPart?: number
}

/** Does a piece of work when it is its owner's turn.
 *  @param part which of the owner's things the work is for. They take turns within those of the owner
 *  @returns undefined when `until` aborts first. Work that has not begun is then not done. Work that has begun goes on, and
 *  keeps its place */
export type InTurn = <T>(
  owner: string,
  until: AbortSignal,
  work: () => Promise<T>,
  part?: string,
) => Promise<T | undefined>

interface Turn {
  kind: 'turn'
  owner: string
  part: string
  begin(): void
}

/** Work that waits for a place. The owners take turns, so that one with a thousand pieces does not delay another. */
export function createTurns({ places, perOwner, perPart = places }: TurnLimits): InTurn {
  const waiting = createFairQueue<'turn', Turn>(['turn'])
  const ofOwners = new Map<string, number>()
  const ofParts = new Map<string, number>()
  let taken = 0

  function letBegin(): void {
    while (taken < places) {
      const next = waiting.take(
        (owner, _, part) => (ofOwners.get(owner) ?? 0) < perOwner && (ofParts.get(part) ?? 0) < perPart,
      )
      if (!next) return
      count(next, 1)
      next.begin()
    }
  }

  function count({ owner, part }: Turn, change: 1 | -1): void {
    taken += change
    add(ofOwners, owner, change)
    add(ofParts, part, change)
  }

  return (owner, until, work, part = '') =>
    new Promise((resolve, reject) => {
      if (until.aborted) return resolve(undefined)
      const stop = () => {
        waiting.remove(turn)
        resolve(undefined)
      }
      const begin = async () => {
        try {
          resolve(await work())
        } catch (error) {
          // After `until` nobody waits for the outcome. Who needs this work next meets the same error.
          reject(error)
        } finally {
          until.removeEventListener('abort', stop)
          count(turn, -1)
          letBegin()
        }
      }
      const turn: Turn = { kind: 'turn', owner, part, begin: () => void begin() }
      until.addEventListener('abort', stop, { once: true })
      waiting.add(turn)
      letBegin()
    })
}

function add(counts: Map<string, number>, key: string, change: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + change
  if (count === 0) counts.delete(key)
  else counts.set(key, count)
}

import { AppError } from '../errors.ts'

export interface LimiterOptions {
  /** Places of all keys together. */
  running: number
  /** Those of one key; fewer than `running` leave a place to the next key at once. */
  perKey?: number
  /** Pieces of work that may wait. */
  waiting?: number
  /** Ms that a piece of work may wait. */
  waitMs?: number
  /** The error for who does not get a place in time. Its Retry-After is at most ten seconds. */
  refusal?: () => AppError
}

export interface RunOptions {
  /** Gives up waiting. Work that has begun goes on. */
  signal?: AbortSignal | undefined
  /** How many the work takes. The last one that begins may take more than are left. */
  places?: number
}

export interface Limiter {
  /** Does a piece of work when it is its key's turn, and gives its result.
   *  @throws what the work throws, the signal's reason, or AppError SERVICE_UNAVAILABLE when too many wait or it has waited
   *  for too long */
  run<T>(key: string, work: () => Promise<T>, options?: RunOptions): Promise<T>
  /** Pieces of work. */
  figures(): { running: number; waiting: number }
}

interface Waiting {
  key: string
  places: number
  begin(): void
  refuse(error: unknown): void
}

/** Bounds how much is done at once. What has no place waits, and keys take turns: one with a thousand pieces of work does
 *  not delay one with a single piece. When too many wait, the last of the key that has most is refused. */
export function createLimiter({
  running,
  perKey = running,
  waiting = Number.POSITIVE_INFINITY,
  waitMs,
  refusal = tooBusy,
}: LimiterOptions): Limiter {
  /** The key whose turn it is comes first. */
  const lines = new Map<string, Waiting[]>()
  const takenBy = new Map<string, number>()
  let taken = 0
  let begun = 0
  let size = 0

  function take(key: string, places: number): void {
    taken += places
    const own = (takenBy.get(key) ?? 0) + places
    if (own === 0) takenBy.delete(key)
    else takenBy.set(key, own)
  }

  const mayBegin = (key: string) => taken < running && (takenBy.get(key) ?? 0) < perKey

  function leaveLine(one: Waiting): boolean {
    const line = lines.get(one.key) ?? []
    const index = line.indexOf(one)
    if (index < 0) return false
    line.splice(index, 1)
    if (line.length === 0) lines.delete(one.key)
    size--
    return true
  }

  function letBegin(): void {
    // A key that is set again comes last, and this loop meets it again.
    for (const [key, line] of lines) {
      if (!mayBegin(key)) continue
      const next = line[0]!
      leaveLine(next)
      if (lines.delete(key)) lines.set(key, line)
      next.begin()
    }
  }

  /** @param own the line of the last who came: of equally long ones it gives way */
  function refuseOne(own: Waiting[]): void {
    const longest = [...lines.values()].reduce((a, b) => (b.length > a.length ? b : a), own)
    longest.at(-1)!.refuse(refusal())
  }

  function turn(key: string, { signal, places = 1 }: RunOptions): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const end = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', hangUp)
      }
      const one: Waiting = {
        key,
        places,
        begin() {
          end()
          take(key, places)
          begun++
          resolve()
        },
        refuse(error) {
          end()
          leaveLine(one)
          reject(error)
        },
      }
      const hangUp = () => one.refuse(signal!.reason)
      const timer = waitMs === undefined ? undefined : setTimeout(() => one.refuse(refusal()), waitMs)
      signal?.addEventListener('abort', hangUp)
      const line = lines.get(key) ?? []
      lines.set(key, line)
      line.push(one)
      size++
      letBegin()
      if (size > waiting) refuseOne(line)
    })
  }

  return {
    async run(key, work, options = {}) {
      await turn(key, options)
      try {
        return await work()
      } finally {
        begun--
        take(key, -(options.places ?? 1))
        letBegin()
      }
    },
    figures: () => ({ running: begun, waiting: size }),
  }
}

const tooBusy = () =>
  new AppError('SERVICE_UNAVAILABLE', 'The service is busy right now. Please try again in a moment.', {
    retryAfter: 5,
    isBusy: true,
  })

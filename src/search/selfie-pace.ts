/** How fast the face engines of this process answer selfies. */
export interface SelfiePace {
  /** Seconds until the selfies that are in work are answered; 0 while they are so few that the next one hardly waits. */
  secondsLeft(): number
  /** Ms from one answer to the next while all engines work. */
  interval(): number
  /** Counts a selfie as in work until its answer is there.
   *  @throws what `work` throws */
  measure<Answer>(work: () => Promise<Answer>): Promise<Answer>
}

/** Expected ms of an engine for a selfie, until the first measurement. Rather too short: too long a time would put the
 *  places too far apart and leave engines idle. */
const FIRST_GUESS = 400
/** How much the last measurement counts. */
const LAST_COUNTS = 0.2

/** @param engines how many selfies are described at the same time
 *  @param now a clock in ms */
export function createSelfiePace({
  engines,
  now = () => performance.now(),
}: {
  engines: number
  now?: () => number
}): SelfiePace {
  let interval = FIRST_GUESS / engines
  let inWork = 0
  /** When the last answer came; undefined when an engine was free since then. The time between two answers then says
   *  nothing about the engines. The time until the first one does not either: engines may start, or an album be loaded. */
  let last: number | undefined

  function recordAnswer(): void {
    if (last !== undefined) interval += LAST_COUNTS * (now() - last - interval)
    last = now()
  }

  return {
    secondsLeft: () => (inWork < 2 * engines ? 0 : (inWork * interval) / 1_000),
    interval: () => interval,
    async measure(work) {
      inWork += 1
      try {
        const answer = await work()
        recordAnswer()
        return answer
      } finally {
        inWork -= 1
        if (inWork < engines) last = undefined
      }
    },
  }
}

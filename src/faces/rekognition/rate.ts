/** What has been learned about the request rate of one lane. */
export interface Learned {
  /** Requests a second. */
  rate: number
  /** By what part of itself the rate grows after a cut; 1 until the quota has been met for the first time. */
  step: number
  /** The share (0–1) of calls that is throttled whatever the rate. On a good day 0. */
  usual: number
  /** Calls that `usual` was learned from. */
  seen: number
  /** The rate before a cut, and the share then throttled, until the period after it tells whether it helped. A
   *  share of 1: while the service is closed, the rate before that. */
  before: { rate: number; share: number } | null
}

/** What became of the calls sent at one rate. */
export interface Period {
  /** Seconds in which somebody wanted to call. */
  busySeconds: number
  /** Permits given out. */
  granted: number
  /** Calls that were let through, whatever the service then answered. */
  answered: number
  /** Calls that were refused for coming too fast. */
  throttled: number
}

/** Slow enough for a service that refuses nearly everything, and fast enough to notice that this is over. */
const LOWEST_RATE = 1
/** A cut leaves this part of what was let through. Higher, and throttling comes back sooner; lower, and more of
 *  the quota lies idle. */
const CUT = 0.97
/** Growth after a cut, in parts of the rate. It doubles with each period without surprise, so that a quota that
 *  has been raised is found within minutes, and one that has not is only touched. */
const SMALLEST_STEP = 0.01
/** With larger ones the quota is overshot so far that most calls pause for another try, and too few are left. */
const LARGEST_STEP = 0.25
/** What a cut leaves of the step: three cuts turn the first growth into the smallest steps. */
const STEP_CUT = 1 / 8
/** Until the quota is met for the first time the rate grows by this factor a period. A second's burst that is let
 *  through hides a quota of half the rate; the next period then sends eight times the quota, which is still no
 *  service that is CLOSED. */
const FIRST_GROWTH = 4
/** Standard deviations by which a share exceeds the usual one when it is no chance. */
const SURPRISE = 2
/** A share above this is no quota that was met, but a service that is closed: the rate is halved again and again,
 *  and starts from half of what it was when the service is open again. */
const CLOSED = 0.9
/** More than this is never taken for usual. */
const MOST_USUAL = 0.4
/** How many calls `usual` remembers. */
const MEMORY = 300
/** Whoever uses less than this part of the rate learns nothing about more. */
const IN_USE = 0.7

export function newLearned(rate: number): Learned {
  return { rate: Math.max(LOWEST_RATE, rate), step: 1, usual: 0, seen: 0, before: null }
}

/** Whether a period holds enough calls to be judged: a second's worth, and where chance has a say, more. */
export function isTelling({ rate, step, usual, before }: Learned, { answered, throttled }: Period): boolean {
  const calls = answered + throttled
  const isClosed = before?.share === 1 || throttled > CLOSED * calls
  const isPlain = isClosed || (throttled === 0 && usual < 0.05)
  const isFirst = step === 1
  const enough = isPlain ? Math.min(isFirst ? 5 : 10, Math.max(5, 2 * rate)) : isFirst ? 10 : 40
  return calls >= Math.max(enough, rate)
}

/** The rate for the next period: additive increase, multiplicative decrease, at most one decrease a period.
 *
 *  Plain AIMD starves where some calls are throttled at any rate (the service answers ThrottlingException when it
 *  is itself "temporarily unable to process the request"). So a cut goes to the rate that was let through, and
 *  the period after it, in which the quota cannot be the cause, teaches how much throttling is usual: only
 *  more than that counts. A cut that turns out to have been in vain is taken back. */
export function learn(learned: Learned, period: Period): Learned {
  const { rate, step, usual, seen } = learned
  let { before } = learned
  const calls = period.answered + period.throttled
  const share = period.throttled / calls
  const open = before?.share === 1 ? before.rate : undefined
  if (share > CLOSED)
    return {
      ...learned,
      rate: Math.max(LOWEST_RATE, rate / 2),
      before: { rate: before?.rate ?? rate, share: 1 },
    }
  if (open && share < 0.5) return { ...learned, rate: Math.max(rate, open / 2), step: STEP_CUT, before: null }
  if (open) before = null

  const isSurprise = (share: number, expected: number, from: number) =>
    from > 0 && share > expected + SURPRISE * Math.sqrt(expected * (1 - expected) * (1 / calls + 1 / from))
  const known = {
    usual: Math.min(MOST_USUAL, usual + ((share - usual) * calls) / (calls + seen)),
    seen: Math.min(MEMORY, seen + calls),
    before: null,
  }

  const sent = Math.min(rate, period.granted / period.busySeconds)
  // After a cut, as long as it grows worse, the quota has not been reached yet.
  if (before ? isSurprise(share, Math.max(usual, before.share), calls) : isSurprise(share, usual, seen)) {
    const letThrough = Math.max(sent, rate / 2) * (1 - share)
    return {
      rate: Math.max(LOWEST_RATE, CUT * letThrough * correction(usual)),
      step: before ? step : Math.max(SMALLEST_STEP, step * STEP_CUT),
      usual,
      seen,
      before: { rate, share },
    }
  }
  if (before) {
    if (!isSurprise(before.share, known.usual, known.seen))
      return { ...known, rate: before.rate, step: grown(step / STEP_CUT) }
    const letThrough = rate / correction(usual)
    return { ...known, rate: Math.min(before.rate, letThrough / (1 - known.usual)), step }
  }
  if (sent < IN_USE * rate) return { ...known, rate, step }
  return { ...known, rate: step === 1 ? FIRST_GROWTH * rate : rate * (1 + step), step: grown(2 * step) }
}

/** 1 is for the beginning only. */
function grown(step: number): number {
  return step >= 1 ? 1 : Math.min(LARGEST_STEP, step)
}

/** From what is let through to what to send in the period after a cut: half of what the usual throttling asks
 *  for, so that the rate is below the quota even where too much was taken for usual. */
function correction(usual: number): number {
  return (1 - usual / 2) / (1 - usual)
}

import type { Page } from 'playwright-core'

/** A call of the page, in ms on the page's own clock. */
export interface TimedCall {
  url: string
  sentAt: number
  /** When the head of the answer arrived. Missing until then, and when no answer came. */
  answeredAt?: number
}

export interface PageClock {
  /** Moves the clock on by this many ms, and runs each timer that falls due, in order. */
  pass(ms: number): Promise<void>
  /** The calls whose address contains this, since the page was last loaded. */
  calls(address: string): Promise<TimedCall[]>
}

declare global {
  interface Window {
    timedCalls: TimedCall[]
  }
}

/** Lets a test move the clock of a page, from the page's next load on.
 *
 *  The clock is never stopped, because a page that waits for an answer needs its timers: it runs by itself, and `pass`
 *  moves it on. A timer sees the time that it was set for, however late a busy machine comes to it. So a test compares
 *  what the clock showed at two events, and never asks whether something has happened yet. */
export async function installClock(page: Page): Promise<PageClock> {
  await page.clock.install()
  await page.addInitScript(recordCalls)
  return {
    pass: (ms) => passTime(page, ms),

    async calls(address) {
      const calls = await page.evaluate(() => window.timedCalls)
      return calls.filter(({ url }) => url.includes(address))
    },
  }
}

/** Moves the clock of a page on, as PageClock's `pass` does. */
export const passTime = (page: Page, ms: number) => page.clock.runFor(ms)

/** Ms from the answer of each call to the next call. */
export function pausesBetween(calls: TimedCall[]): number[] {
  return calls.slice(1).map(({ sentAt }, index) => sentAt - calls[index]!.answeredAt!)
}

/** Runs in the page. */
function recordCalls(): void {
  const begin = (url: string | URL): TimedCall => {
    const call: TimedCall = { url: String(url), sentAt: Date.now() }
    window.timedCalls.push(call)
    return call
  }
  window.timedCalls = []

  const { fetch } = window
  window.fetch = async (input, init) => {
    const call = begin(input instanceof Request ? input.url : input)
    const answer = await fetch(input, init)
    call.answeredAt = Date.now()
    return answer
  }

  const { open, send } = XMLHttpRequest.prototype
  const targets = new WeakMap<XMLHttpRequest, string | URL>()
  XMLHttpRequest.prototype.open = function (method: string, url: string | URL, ...rest: unknown[]) {
    targets.set(this, url)
    Reflect.apply(open, this, [method, url, ...(rest.length ? rest : [true])])
  }
  XMLHttpRequest.prototype.send = function (body) {
    const call = begin(targets.get(this)!)
    this.addEventListener('readystatechange', () => {
      if (this.readyState === XMLHttpRequest.HEADERS_RECEIVED) call.answeredAt = Date.now()
    })
    send.call(this, body)
  }
}

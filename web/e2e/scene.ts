import type { Page } from 'playwright-core'
import type { Stage } from './stage.ts'
import type { Visitor } from './visitor.ts'

/** A page in one of its states. `open` brings a visitor there and waits until it is drawn. */
export interface Scene {
  name: string
  open(visitor: Visitor, stage: Stage): Promise<void>
}

export const scene = (name: string, open: Scene['open']): Scene => ({ name, open })

/** Leaves a call without an answer. */
export const hang = (page: Page, call: string) => page.route(call, () => {})

/** Answers a call with 503.
 *  @param retryAfter the seconds that the service asks the page to wait */
export const fail = (page: Page, call: string, retryAfter?: number) =>
  page.route(call, (route) =>
    route.fulfill({
      status: 503,
      contentType: 'application/json',
      ...(retryAfter !== undefined && { headers: { 'retry-after': String(retryAfter) } }),
      body: JSON.stringify({
        message: 'The service is busy. Please try again in a moment.',
        error: 'The service is busy. Please try again in a moment.',
        code: 'SERVICE_UNAVAILABLE',
      }),
    }),
  )

import type { Page } from 'playwright-core'
import { type AppError, HTTP_STATUS } from '../../src/errors.ts'
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

/** Answers a call with 503. */
export const fail = (page: Page, call: string) =>
  refuse(page, call, {
    code: 'SERVICE_UNAVAILABLE',
    message: 'The service is busy. Please try again in a moment.',
  })

/** Answers a call with an error of the service.
 *  @param retryAfter the seconds that the service asks the page to wait */
export const refuse = (
  page: Page,
  call: string,
  { code, message }: Pick<AppError, 'code' | 'message'>,
  retryAfter?: number,
) =>
  page.route(call, (route) =>
    route.fulfill({
      status: HTTP_STATUS[code],
      ...(retryAfter !== undefined && { headers: { 'retry-after': String(retryAfter) } }),
      json: { message, error: message, code },
    }),
  )

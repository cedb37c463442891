import type { Page } from 'playwright-core'
import { type AppError, HTTP_STATUS } from '../../src/errors.ts'

type Refusal = Pick<AppError, 'code' | 'message'> & { reason?: AppError['reason'] }

/** The service's answer with an error, for `route.fulfill`.
 *  @param seconds after which it asks to try again */
export const refusal = ({ code, reason, message }: Refusal, seconds?: number) => ({
  status: HTTP_STATUS[code],
  headers: { ...(seconds !== undefined && { 'retry-after': String(seconds) }) },
  json: { message, error: message, code, reason },
})

/** Answers a call with an error of the service. */
export const refuse = (page: Page, call: string, error: Refusal) =>
  page.route(call, (route) => route.fulfill(refusal(error)))

/** Answers a call with 503. */
export const fail = (page: Page, call: string) =>
  refuse(page, call, {
    code: 'SERVICE_UNAVAILABLE',
    message: 'The service is busy. Please try again in a moment.',
  })

import type { Page } from 'playwright-core'
import { type AppError, HTTP_STATUS } from '../../src/errors.ts'

/** Answers a call with 503. */
export const fail = (page: Page, call: string) =>
  refuse(page, call, {
    code: 'SERVICE_UNAVAILABLE',
    message: 'The service is busy. Please try again in a moment.',
  })

/** Answers a call with an error of the service. */
export const refuse = (
  page: Page,
  call: string,
  { code, reason, message }: Pick<AppError, 'code' | 'message'> & { reason?: AppError['reason'] },
) =>
  page.route(call, (route) =>
    route.fulfill({ status: HTTP_STATUS[code], json: { message, error: message, code, reason } }),
  )

import { LAST_SELFIE_IN_WORK, MANY_SEARCHES } from '../contract/wording.ts'
import { AppError } from '../errors.ts'

export const lastSelfieInWork = () =>
  new AppError('TOO_MANY_REQUESTS', `${LAST_SELFIE_IN_WORK} Please wait a few seconds and try again.`, {
    retryAfter: 3,
  })

/** @param seconds until the caller should come again */
export const manySearches = (seconds = 5) =>
  new AppError('SERVICE_UNAVAILABLE', `${MANY_SEARCHES} Please try again in a moment.`, {
    retryAfter: seconds,
    isBusy: true,
  })

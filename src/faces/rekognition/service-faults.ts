import { AppError } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { unreadable } from './upright-image.ts'

/** Who we are, or what we may do, is at fault: "Common Errors" of the API Reference, and the SDK's own for
 *  credentials that are nowhere to be found. */
const REFUSALS = new Set([
  'AccessDeniedException',
  'CredentialsProviderError',
  'ExpiredTokenException',
  'IncompleteSignature',
  'InvalidClientTokenId',
  'InvalidSignatureException',
  'MissingAuthenticationTokenException',
  'NotAuthorized',
  'OptInRequired',
  'UnrecognizedClientException',
])

const PASSING = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'TimeoutError',
  'AbortError',
])

/** What a failed call means to who asked: an AppError, or the error as it is when it is a fault of ours. What a
 *  maintainer has to mend is logged. */
export function meaningOf(error: unknown, log: Log): unknown {
  if (!(error instanceof Error) || error instanceof AppError) return error
  switch (error.name) {
    case 'ResourceNotFoundException':
      return new AppError('NOT_FOUND', 'This album has no face collection.', { cause: error })
    // All parameters but the image are ours and always of the same form, so InvalidParameterException, too,
    // speaks of the image.
    case 'InvalidParameterException':
    case 'InvalidImageFormatException':
    case 'ImageTooLargeException':
      return unreadable(error)
    case 'ServiceQuotaExceededException':
      log.error(
        { err: error },
        'Amazon Rekognition has no room for more: a collection or the account is full. Ask AWS for a higher quota (Service Quotas, Amazon Rekognition); photos wait until then',
      )
      return unavailable('There is no room for more faces just now.', error)
  }
  if (REFUSALS.has(error.name)) {
    log.error(
      { err: error },
      'Amazon Rekognition refuses us: check the AWS credentials, AWS_REGION, and that the IAM policy allows the actions that the README names',
    )
    return unavailable('The face service cannot be used just now. Please try again later.', error)
  }
  if (isPassing(error))
    return unavailable('The face service is busy just now. Please try again in a moment.', error)
  return error
}

/** Throttling, a fault of the service's own, or one of the way there. */
function isPassing(error: Error & { $fault?: string; code?: unknown }): boolean {
  return PASSING.has(error.name) || error.$fault === 'server' || typeof error.code === 'string'
}

export function isNamed(error: unknown, ...names: string[]): boolean {
  return error instanceof Error && names.includes(error.name)
}

function unavailable(message: string, cause: Error): AppError {
  return new AppError('SERVICE_UNAVAILABLE', message, { cause, retryAfter: 5 })
}

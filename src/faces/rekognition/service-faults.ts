import { AppError, hasCode } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { noCollection, serviceBusy, serviceFull, serviceUnavailable, unreadablePicture } from '../errors.ts'

/** Why a call may be repeated: it was above the quota, the service had no capacity for it, the service itself failed, or the
 *  connection to it did. The names are from the service's public model; "Error handling" in the Amazon Rekognition Developer
 *  Guide lists which calls may be repeated. */
const PASSING = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'InternalServerError',
  'ServiceUnavailable',
  'ServiceUnavailableException',
  // A connection or an answer took too long, or the call was given up.
  'TimeoutError',
  'AbortError',
])

/** Our credentials or our rights are the cause: "Common Errors" of the API Reference, and the SDK's own error for
 *  missing credentials. */
const REFUSAL =
  /^(AccessDenied|Credentials|ExpiredToken|IncompleteSignature|Invalid(ClientToken|Signature)|MissingAuthentication|NotAuthorized|OptIn|UnrecognizedClient)/

/** Codes of the network, the resolver and TLS. Node's other codes that begin with ERR_ are programming errors. */
const CONNECTION_CODE = /^(?!ERR_)|^ERR_(TLS|SSL)_/

/** Whether a fault passes when the call is repeated. All others do not: a wrong request, wrong credentials or a full
 *  collection. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof AppError || REFUSAL.test(error.name)) return false
  const { name, code, $metadata } = error as Error & {
    code?: unknown
    $metadata?: { httpStatusCode?: number }
  }
  const status = $metadata?.httpStatusCode ?? 0
  if (PASSING.has(name) || status === 429 || status >= 500) return true
  const isConnection = typeof code === 'string' && CONNECTION_CODE.test(code)
  return isConnection || error.message === 'socket hang up'
}

/** Translates a failed call for the caller: an AppError, or the error unchanged when the fault is in our code. Logs
 *  what a maintainer has to fix. */
export function translateFault(error: unknown, log: Log): unknown {
  if (!(error instanceof Error) || error instanceof AppError) return error
  switch (error.name) {
    case 'ResourceNotFoundException':
      return noCollection(error)
    // All parameters but the image are ours and always have the same form, so InvalidParameterException also means
    // the image.
    case 'InvalidParameterException':
    case 'InvalidImageFormatException':
    case 'ImageTooLargeException':
      return unreadablePicture(error)
    case 'ServiceQuotaExceededException':
      log.error(
        { err: error },
        'Amazon Rekognition accepts no more faces: a collection or the account is full. Ask AWS for a higher quota (Service Quotas, Amazon Rekognition); photos wait until then',
      )
      return serviceFull(error)
  }
  if (REFUSAL.test(error.name)) {
    log.error(
      { err: error },
      'Amazon Rekognition refuses our calls: check the AWS credentials, AWS_REGION, and that the IAM policy allows the actions that docs/operating.md names',
    )
    return serviceUnavailable(error)
  }
  return isPassing(error) ? serviceBusy(error) : error
}

export function isNamed(error: unknown, ...names: string[]): boolean {
  return error instanceof Error && names.includes(error.name)
}

/** For a call whose answer may be missing: gives none while the service is busy. */
export function unlessBusy(error: unknown): undefined {
  if (!hasCode(error, 'SERVICE_UNAVAILABLE')) throw error
}

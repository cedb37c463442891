/** Why a call may be repeated: it came too fast, the service itself failed, or the way there did. */
export type PassingFault = 'throttled' | 'failed' | 'unreachable'

// Names as the service's public model has them ("Error handling" in the Amazon Rekognition Developer Guide lists
// which may be retried); codes as Node and its resolver have them.
const THROTTLED = new Set(['ProvisionedThroughputExceededException', 'ThrottlingException'])
const FAILED = new Set(['InternalServerError', 'ServiceUnavailable', 'ServiceUnavailableException'])
const UNREACHABLE = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** What passes when it is tried again; undefined for everything else: what is wrong with the request, the
 *  credentials or a collection that is full stays wrong. */
export function passingFault(error: unknown): PassingFault | undefined {
  if (!(error instanceof Error)) return undefined
  const { name, code, $metadata } = error as Error & {
    code?: unknown
    $metadata?: { httpStatusCode?: number }
  }
  if (THROTTLED.has(name) || $metadata?.httpStatusCode === 429) return 'throttled'
  if (FAILED.has(name) || ($metadata?.httpStatusCode ?? 0) >= 500) return 'failed'
  // The SDK's name for a connection or an answer that took too long.
  if (name === 'TimeoutError') return 'unreachable'
  if (UNREACHABLE.has(String(code)) || error.message === 'socket hang up') return 'unreachable'
  return undefined
}

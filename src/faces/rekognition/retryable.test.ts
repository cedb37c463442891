import { expect, test } from 'vitest'
import { pauseMs } from './governor.ts'
import { passingFault } from './retryable.ts'

const named = (name: string, more: object = {}) => Object.assign(new Error('No'), { name, ...more })

test.each([
  ['ProvisionedThroughputExceededException', 'throttled'],
  ['ThrottlingException', 'throttled'],
  ['InternalServerError', 'failed'],
  ['TimeoutError', 'unreachable'],
] as const)('%s passes', (name, fault) => {
  expect(passingFault(named(name))).toBe(fault)
})

test.each(['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'])(
  '%s passes',
  (code) => {
    expect(passingFault(named('Error', { code }))).toBe('unreachable')
  },
)

test('a connection that was hung up passes', () => {
  expect(passingFault(new Error('socket hang up'))).toBe('unreachable')
})

test('an answer from a gateway that is not the service passes', () => {
  expect(passingFault(named('UnknownError', { $metadata: { httpStatusCode: 503 } }))).toBe('failed')
})

test.each([
  'InvalidParameterException',
  'InvalidImageFormatException',
  'ImageTooLargeException',
  'InvalidS3ObjectException',
  'AccessDeniedException',
  'ServiceQuotaExceededException',
  'ResourceNotFoundException',
  'ResourceAlreadyExistsException',
  'CredentialsProviderError',
])('%s stays wrong', (name) => {
  expect(passingFault(named(name, { $metadata: { httpStatusCode: 400 } }))).toBeUndefined()
})

test('what is no error at all is not tried again', () => {
  expect(passingFault('ThrottlingException')).toBeUndefined()
})

test('pauses have full jitter: anything between nothing and a bound that doubles up to the longest', () => {
  expect([0, 1, 2, 3, 9].map((tries) => pauseMs(tries, 5_000, 1))).toEqual([200, 400, 800, 1600, 5_000])
  expect([0, 1, 2, 3, 9].map((tries) => pauseMs(tries, 5_000, 0))).toEqual([0, 0, 0, 0, 0])
  expect(pauseMs(2, 5_000, 0.5)).toBe(400)
})

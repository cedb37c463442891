import { expect, test } from 'vitest'
import { passingFault } from './service-faults.ts'

const named = (name: string, more: object = {}) => Object.assign(new Error('No'), { name, ...more })

test.each([
  ['ProvisionedThroughputExceededException', 'refused'],
  ['ThrottlingException', 'throttled'],
  ['InternalServerError', 'failed'],
  ['TimeoutError', 'unreachable'],
] as const)('%s passes', (name, fault) => {
  expect(passingFault(named(name))).toBe(fault)
})

test.each([
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'CERT_HAS_EXPIRED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])('%s passes', (code) => {
  expect(passingFault(named('Error', { code }))).toBe('unreachable')
})

test('a connection that was hung up passes', () => {
  expect(passingFault(new Error('socket hang up'))).toBe('unreachable')
})

test('an answer from a gateway that is not the service passes', () => {
  expect(passingFault(named('UnknownError', { $metadata: { httpStatusCode: 503 } }))).toBe('failed')
  expect(passingFault(named('UnknownError', { $metadata: { httpStatusCode: 429 } }))).toBe('throttled')
})

test('a programming error does not pass', () => {
  expect(passingFault(named('TypeError', { code: 'ERR_INVALID_ARG_TYPE' }))).toBeUndefined()
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
])('%s does not pass', (name) => {
  expect(passingFault(named(name, { $metadata: { httpStatusCode: 400 } }))).toBeUndefined()
})

import { expect, test } from 'vitest'
import { isPassing } from './service-faults.ts'

const named = (name: string, more: object = {}) => Object.assign(new Error('No'), { name, ...more })
const broken = (code: string) => named('Error', { code })
const gateway = (httpStatusCode: number) => named('UnknownError', { $metadata: { httpStatusCode } })

test.each([
  ['refused', [named('ProvisionedThroughputExceededException')]],
  ['throttled', [named('ThrottlingException'), gateway(429)]],
  ['failed', [named('InternalServerError'), gateway(503)]],
  [
    'unreachable',
    [
      named('TimeoutError'),
      ...['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'].map(broken),
      ...['CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID'].map(broken),
      new Error('socket hang up'),
    ],
  ],
] as const)('passes, because the service has %s', (_fault, errors) => {
  for (const error of errors) expect(isPassing(error), String(error)).toBe(true)
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
  expect(isPassing(named(name, { $metadata: { httpStatusCode: 400 } }))).toBe(false)
})

test('a programming error does not pass', () => {
  expect(isPassing(named('TypeError', { code: 'ERR_INVALID_ARG_TYPE' }))).toBe(false)
})

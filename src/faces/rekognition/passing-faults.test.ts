import { expect, test } from 'vitest'
import { passingFault } from './service-faults.ts'

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
] as const)('passes, because the service has %s', (fault, errors) => {
  for (const error of errors) expect(passingFault(error), String(error)).toBe(fault)
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

test('a programming error does not pass', () => {
  expect(passingFault(named('TypeError', { code: 'ERR_INVALID_ARG_TYPE' }))).toBeUndefined()
})

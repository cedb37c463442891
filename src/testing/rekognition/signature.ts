import { createHash, createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { ServiceError } from './service-error.ts'

export interface AwsCredentials {
  accessKeyId: string
  secretAccessKey: string
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/

/** Checks the signature of a request as described in "Signature Version 4 signing process" of the AWS General
 *  Reference. It supports only a POST to `/` without a query, since every operation is one.
 *  @throws ServiceError with a name from "Common Errors" */
export function checkSignature(
  headers: IncomingHttpHeaders,
  body: Buffer,
  region: string,
  { accessKeyId, secretAccessKey }: AwsCredentials,
): void {
  if (!headers.authorization)
    throw new ServiceError('MissingAuthenticationTokenException', 'Missing Authentication Token')
  const [, key, scope, signedHeaders, signature] = AUTHORIZATION.exec(headers.authorization) ?? []
  if (!key || !scope || !signedHeaders) throw invalid('The Authorization header has another form.')
  if (key !== accessKeyId)
    throw new ServiceError(
      'UnrecognizedClientException',
      'The security token included in the request is invalid.',
    )
  const [date, ...rest] = scope.split('/')
  if (rest.join('/') !== `${region}/rekognition/aws4_request`)
    throw invalid(`Credential should be scoped to a valid region and service, not '${scope}'.`)

  const names = signedHeaders.split(';')
  const canonical = [
    'POST',
    '/',
    '',
    ...names.map((name) => `${name}:${String(headers[name] ?? '').trim()}`),
    '',
    signedHeaders,
    sha256(body),
  ].join('\n')
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n')
  const signingKey = [date!, region, 'rekognition', 'aws4_request'].reduce<string | Buffer>(
    (derived, part) => hmac(derived, part),
    `AWS4${secretAccessKey}`,
  )
  if (hmac(signingKey, toSign).toString('hex') !== signature)
    throw invalid('The request signature we calculated does not match the signature you provided.')
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest()
const invalid = (message: string) => new ServiceError('InvalidSignatureException', message)

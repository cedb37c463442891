import type { IncomingHttpHeaders } from 'node:http'
import { type AwsCredentials, sha256, signatureV4 } from '../signature-v4.ts'
import { ServiceError } from './service-error.ts'

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
  if (scope.slice(scope.indexOf('/') + 1) !== `${region}/rekognition/aws4_request`)
    throw invalid(`Credential should be scoped to a valid region and service, not '${scope}'.`)

  const expected = signatureV4(
    {
      method: 'POST',
      path: '/',
      query: new URLSearchParams(),
      headers,
      signedHeaders,
      bodyHash: sha256(body),
      time: String(headers['x-amz-date']),
      scope,
    },
    secretAccessKey,
  )
  if (expected !== signature)
    throw invalid('The request signature we calculated does not match the signature you provided.')
}

const invalid = (message: string) => new ServiceError('InvalidSignatureException', message)

import type { IncomingHttpHeaders } from 'node:http'
import { type AwsCredentials, sha256, signatureV4 } from './signature-v4.ts'

/** The errors of the stand-in for S3, from "Error responses" in the Amazon S3 API Reference. */
const STATUS = {
  AccessDenied: 403,
  AuthorizationHeaderMalformed: 400,
  BadDigest: 400,
  InvalidAccessKeyId: 403,
  InvalidPart: 400,
  InvalidRange: 416,
  InvalidRequest: 400,
  MethodNotAllowed: 405,
  NoSuchBucket: 404,
  NoSuchKey: 404,
  NoSuchUpload: 404,
  SignatureDoesNotMatch: 403,
  XAmzContentSHA256Mismatch: 400,
} as const

export class S3Error extends Error {
  readonly code: keyof typeof STATUS
  readonly status: number

  constructor(code: keyof typeof STATUS, message = '') {
    super(message)
    this.code = code
    this.status = STATUS[code]
  }
}

export interface S3Request {
  method: string
  /** As it was sent, without the query. */
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: Buffer
}

const REGION = 'us-east-1'

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=(.+?)\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/

/** Who signed a request in its headers, or in its address.
 *  @throws S3Error when the signature is missing, wrong or expired */
export function signerOf(request: S3Request, users: AwsCredentials[]): AwsCredentials {
  const { key, scope, signature, ...signed } = request.headers.authorization
    ? signedInHeaders(request)
    : signedInAddress(request)
  const user = users.find(({ accessKeyId }) => accessKeyId === key)
  if (!user) throw new S3Error('InvalidAccessKeyId')
  if (scope !== `${signed.time.slice(0, 8)}/${REGION}/s3/aws4_request`)
    throw new S3Error('AuthorizationHeaderMalformed', `The scope is wrong; expecting '${REGION}'`)
  if (signatureV4({ ...request, ...signed, scope }, user.secretAccessKey) !== signature)
    throw new S3Error('SignatureDoesNotMatch')
  return user
}

function signedInHeaders({ headers, body }: S3Request) {
  const [, key, scope, signedHeaders, signature] = AUTHORIZATION.exec(headers.authorization!) ?? []
  if (!key || !scope || !signedHeaders) throw new S3Error('AuthorizationHeaderMalformed')
  const bodyHash = String(headers['x-amz-content-sha256'])
  if (bodyHash !== sha256(body)) throw new S3Error('XAmzContentSHA256Mismatch')
  return { key, scope, signedHeaders, signature, bodyHash, time: String(headers['x-amz-date']) }
}

function signedInAddress({ query }: S3Request) {
  const of = (name: string) => query.get(`X-Amz-${name}`) ?? ''
  const [key, ...scope] = of('Credential').split('/')
  const time = of('Date')
  if (!key || !time) throw new S3Error('AccessDenied')
  const begins = Date.parse(time.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'))
  if (!(Date.now() < begins + Number(of('Expires')) * 1000))
    throw new S3Error('AccessDenied', 'Request has expired')
  return {
    key,
    scope: scope.join('/'),
    signedHeaders: of('SignedHeaders'),
    signature: of('Signature'),
    bodyHash: 'UNSIGNED-PAYLOAD',
    time,
  }
}

import type { IncomingHttpHeaders } from 'node:http'

export interface AwsCredentials {
  accessKeyId: string
  secretAccessKey: string
}

/** The errors of the stand-in for S3, from "Error responses" in the Amazon S3 API Reference. */
const STATUS = {
  AccessDenied: 403,
  AuthorizationHeaderMalformed: 400,
  BadDigest: 400,
  InvalidAccessKeyId: 403,
  InvalidRange: 416,
  InvalidRequest: 400,
  MethodNotAllowed: 405,
  NoSuchBucket: 404,
  NoSuchKey: 404,
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

/** Who says to have signed a request, in its headers or in its address. Whether the signature is right is tested on Swift.
 *  @throws S3Error when there is no signature, or an expired one */
export function signerOf({ headers, query }: S3Request, users: AwsCredentials[]): AwsCredentials {
  const credential =
    /^AWS4-HMAC-SHA256 Credential=([^,]+)/.exec(headers.authorization ?? '')?.[1] ??
    query.get('X-Amz-Credential')
  if (!credential) throw new S3Error('AccessDenied')
  const [key, , region] = credential.split('/')
  const user = users.find(({ accessKeyId }) => accessKeyId === key)
  if (!user) throw new S3Error('InvalidAccessKeyId')
  if (region !== 'us-east-1') throw new S3Error('AuthorizationHeaderMalformed', 'The region is wrong')
  if (!headers.authorization && Date.now() >= endOf(query))
    throw new S3Error('AccessDenied', 'Request has expired')
  return user
}

function endOf(query: URLSearchParams): number {
  const begins = query.get('X-Amz-Date')!.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5')
  return Date.parse(begins) + Number(query.get('X-Amz-Expires')) * 1000
}

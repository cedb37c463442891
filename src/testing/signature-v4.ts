import { createHash, createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

export interface AwsCredentials {
  accessKeyId: string
  secretAccessKey: string
}

export interface SignedRequest {
  method: string
  /** As it was sent, without the query. */
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  /** The names of the headers that are signed, joined by `;`. */
  signedHeaders: string
  bodyHash: string
  /** Such as `20260102T030405Z`. */
  time: string
  /** `date/region/service/aws4_request` */
  scope: string
}

/** The signature that the owner of a secret would give a request: "Create a signed AWS API request" in the IAM User
 *  Guide. It is computed without the SDK, so that it can judge the SDK's. */
export function signatureV4(request: SignedRequest, secretAccessKey: string): string {
  const { method, path, query, headers, signedHeaders, bodyHash, time, scope } = request
  const parameters = [...query]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
  const canonical = [
    method,
    path,
    parameters.map((parameter) => parameter.join('=')).join('&'),
    ...signedHeaders.split(';').map((name) => `${name}:${String(headers[name] ?? '').trim()}`),
    '',
    signedHeaders,
    bodyHash,
  ].join('\n')
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')
  const signingKey = scope
    .split('/')
    .reduce<string | Buffer>((derived, part) => hmac(derived, part), `AWS4${secretAccessKey}`)
  return hmac(signingKey, toSign).toString('hex')
}

export const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')

const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest()

const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

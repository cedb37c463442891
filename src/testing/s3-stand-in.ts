import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface AwsCredentials {
  accessKeyId: string
  secretAccessKey: string
}

/** An S3 for tests. */
export interface S3Server {
  /** Supports path-style addresses only. */
  endpoint: string
  /** May do everything. */
  owner: AwsCredentials
  /** May only do what a bucket allows. */
  guest: AwsCredentials
}

interface Bucket {
  objects: Map<string, { bytes: Buffer; mediaType: string; etag: string }>
  mayGuestsRead: boolean
}

interface Request {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: Buffer
}

interface Answer {
  status?: number
  headers?: Record<string, string>
  body?: string | Buffer
}

const OWNER = { accessKeyId: 'AKIDOWNER', secretAccessKey: 'the-secret-of-the-owner' }
const GUEST = { accessKeyId: 'AKIDGUEST', secretAccessKey: 'the-secret-of-the-guest' }

/** S3 lists up to 1,000 keys at once; any store may list fewer. */
export const STAND_IN_PAGE = 300
/** How many keys one call may delete. */
const MAX_DELETED = 1000

/** Starts a local stand-in for Amazon S3, for the unmodified AWS SDK. It has the operations that Inframe and its tests
 *  call, checks permissions and the expiry of addresses, and keeps everything in memory. Keys and media types are not
 *  escaped in its XML, since Inframe's contain nothing to escape. It does not keep its process running. */
export async function startS3StandIn(): Promise<S3Server & { letGuestsRead(bucket: string): void }> {
  const buckets = new Map<string, Bucket>()

  function answer(request: Request): Answer {
    const isOwner = signerOf(request) === OWNER
    const { method, path, query, headers, body } = request
    const [, name = '', key = ''] = /^\/([^/]+)\/?(.*)$/.exec(path) ?? []
    if (method === 'PUT' && !key && isOwner) {
      buckets.set(name, { objects: new Map(), mayGuestsRead: false })
      return {}
    }
    const bucket = buckets.get(name)
    if (!bucket) throw refused(404, 'NoSuchBucket')
    if (method === 'POST' && query.has('delete')) return deleteObjects(bucket, request, isOwner)
    const isRead = method === 'GET' || method === 'HEAD'
    if (!isOwner && !(isRead && bucket.mayGuestsRead)) throw refused(403, 'AccessDenied')
    if (!key) return listObjects(bucket, query)
    if (isRead) return getObject(bucket, key, request)
    if (method === 'DELETE') {
      bucket.objects.delete(key)
      return { status: 204 }
    }
    const etag = `"${md5(body).toString('hex')}"`
    const mediaType = headers['content-type'] ?? 'binary/octet-stream'
    bucket.objects.set(key, { bytes: body, mediaType, etag })
    return { headers: { etag } }
  }

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    // A body that breaks off is not stored.
    const body = await buffer(incoming).catch(() => undefined)
    if (!body) return
    const { pathname: path, searchParams: query } = new URL(incoming.url!, 'http://localhost')
    const request = { method: incoming.method!, path, query, headers: incoming.headers, body }
    const { status = 200, headers, body: sent = '' } = answerOrError(() => answer(request))
    response.writeHead(status, { 'content-length': Buffer.byteLength(sent), ...headers }).end(sent)
  }

  const server = createServer((incoming, response) => void serve(incoming, response))
  server.listen(0, '127.0.0.1').unref()
  await once(server, 'listening')
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    owner: OWNER,
    guest: GUEST,
    letGuestsRead(bucket) {
      buckets.get(bucket)!.mayGuestsRead = true
    },
  }
}

/** An error from "Error responses" in the Amazon S3 API Reference. */
const refused = (status: number, code: string, message = '') =>
  Object.assign(new Error(message), { status, code })

function answerOrError(answer: () => Answer): Answer {
  try {
    return answer()
  } catch (error) {
    const { status, code, message } = error as ReturnType<typeof refused>
    return { status: status ?? 500, ...xml('Error', `<Code>${code}</Code><Message>${message}</Message>`) }
  }
}

/** Who says to have signed a request, in its headers or in its address. Whether the signature is right is tested on Swift. */
function signerOf({ headers, query }: Request): AwsCredentials {
  const credential =
    /^AWS4-HMAC-SHA256 Credential=([^,]+)/.exec(headers.authorization ?? '')?.[1] ??
    query.get('X-Amz-Credential')
  if (!credential) throw refused(403, 'AccessDenied')
  const [key, , region] = credential.split('/')
  const user = [OWNER, GUEST].find(({ accessKeyId }) => accessKeyId === key)
  if (!user) throw refused(403, 'InvalidAccessKeyId')
  if (region !== 'us-east-1') throw refused(400, 'AuthorizationHeaderMalformed', 'The region is wrong')
  if (!headers.authorization && Date.now() >= endOf(query)) throw refused(403, 'AccessDenied', 'Expired')
  return user
}

function endOf(query: URLSearchParams): number {
  const begins = query.get('X-Amz-Date')!.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5')
  return Date.parse(begins) + Number(query.get('X-Amz-Expires')) * 1000
}

function listObjects({ objects }: Bucket, query: URLSearchParams): Answer {
  const [prefix, after] = [query.get('prefix') ?? '', query.get('continuation-token') ?? '']
  const left = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).toSorted()
  const page = left.slice(0, Number(query.get('max-keys') ?? STAND_IN_PAGE))
  const next = page.length < left.length ? page.at(-1) : undefined
  return xml(
    'ListBucketResult',
    `<KeyCount>${page.length}</KeyCount><IsTruncated>${next !== undefined}</IsTruncated>`,
    next === undefined ? '' : `<NextContinuationToken>${next}</NextContinuationToken>`,
    ...page.map((key) => `<Contents><Key>${key}</Key></Contents>`),
  )
}

function getObject({ objects }: Bucket, key: string, { headers: asked, query }: Request): Answer {
  const found = objects.get(key)
  if (!found) throw refused(404, 'NoSuchKey')
  const { bytes, mediaType, etag } = found
  const headers: Record<string, string> = { 'content-type': mediaType, etag }
  for (const name of ['content-type', 'content-disposition', 'cache-control'])
    headers[name] = query.get(`response-${name}`) ?? headers[name] ?? ''
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(asked.range ?? '') ?? []
  if (!first) return { headers: { ...headers, 'content-length': `${bytes.length}` }, body: bytes }
  const part = bytes.subarray(Number(first), Number(last) + 1)
  if (part.length === 0) throw refused(416, 'InvalidRange')
  headers['content-range'] = `bytes ${first}-${Number(first) + part.length - 1}/${bytes.length}`
  return { status: 206, headers, body: part }
}

function deleteObjects({ objects }: Bucket, { headers, body }: Request, isOwner: boolean): Answer {
  if (headers['content-md5'] !== md5(body).toString('base64')) throw refused(400, 'BadDigest')
  const keys = [...body.toString().matchAll(/<Key>(.*?)<\/Key>/g)].map(([, key]) => key!)
  if (keys.length > MAX_DELETED) throw refused(400, 'InvalidRequest')
  if (isOwner) for (const key of keys) objects.delete(key)
  const kept = isOwner ? [] : keys
  const errors = kept.map((key) => `<Error><Key>${key}</Key><Code>AccessDenied</Code></Error>`)
  return xml('DeleteResult', ...errors)
}

const md5 = (bytes: Buffer) => createHash('md5').update(bytes).digest()

const xml = (root: string, ...content: string[]) => ({
  headers: { 'content-type': 'application/xml' },
  body: `<${root}>${content.join('')}</${root}>`,
})

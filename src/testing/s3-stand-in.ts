import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { AwsCredentials } from './s3-requests.ts'
import { S3Error, type S3Request, signerOf } from './s3-requests.ts'

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

  function answer(request: S3Request): Answer {
    const user = signerOf(request, [OWNER, GUEST])
    const { method, path, query } = request
    const [, name = '', key = ''] = /^\/([^/]+)\/?(.*)$/.exec(path) ?? []
    if (method === 'PUT' && !key && user === OWNER) {
      buckets.set(name, { objects: new Map(), mayGuestsRead: false })
      return {}
    }
    const bucket = buckets.get(name)
    if (!bucket) throw new S3Error('NoSuchBucket')
    const isOwner = user === OWNER
    if (method === 'POST' && query.has('delete')) return deleteObjects(bucket, request, isOwner)
    const isRead = method === 'GET' || method === 'HEAD'
    if (!isOwner && !(isRead && bucket.mayGuestsRead)) throw new S3Error('AccessDenied')
    if (!key) return listObjects(bucket, query)
    if (isRead) return getObject(bucket, key, request)
    if (method === 'DELETE') {
      bucket.objects.delete(key)
      return { status: 204 }
    }
    if (method !== 'PUT') throw new S3Error('MethodNotAllowed')
    const etag = `"${md5(request.body).toString('hex')}"`
    bucket.objects.set(key, { bytes: request.body, mediaType: mediaTypeOf(request), etag })
    return { headers: { etag } }
  }

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    // A body that breaks off is not stored.
    const body = await buffer(incoming).catch(() => undefined)
    if (!body) return
    const { pathname, searchParams } = new URL(incoming.url!, 'http://localhost')
    const request = {
      method: incoming.method!,
      path: pathname,
      query: searchParams,
      headers: incoming.headers,
      body,
    }
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

function answerOrError(answer: () => Answer): Answer {
  try {
    return answer()
  } catch (error) {
    const { status = 500, code = 'InternalError', message } = error as Partial<S3Error>
    return { status, ...xml('Error', `<Code>${code}</Code><Message>${message}</Message>`) }
  }
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

function getObject({ objects }: Bucket, key: string, { headers: asked, query }: S3Request): Answer {
  const found = objects.get(key)
  if (!found) throw new S3Error('NoSuchKey')
  const { bytes, mediaType, etag } = found
  const headers: Record<string, string> = { 'content-type': mediaType, etag }
  for (const name of ['content-type', 'content-disposition', 'cache-control']) {
    const instead = query.get(`response-${name}`)
    if (instead) headers[name] = instead
  }
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(asked.range ?? '') ?? []
  if (!first) return { headers: { ...headers, 'content-length': `${bytes.length}` }, body: bytes }
  const part = bytes.subarray(Number(first), Number(last) + 1)
  if (part.length === 0) throw new S3Error('InvalidRange')
  headers['content-range'] = `bytes ${first}-${Number(first) + part.length - 1}/${bytes.length}`
  return { status: 206, headers, body: part }
}

function deleteObjects({ objects }: Bucket, { headers, body }: S3Request, isOwner: boolean): Answer {
  const digest = headers['content-md5']
  if (!digest) throw new S3Error('InvalidRequest', 'Missing required header for this request: Content-MD5')
  if (digest !== md5(body).toString('base64')) throw new S3Error('BadDigest')
  const keys = [...body.toString().matchAll(/<Key>(.*?)<\/Key>/g)].map(([, key]) => key!)
  if (keys.length > MAX_DELETED) throw new S3Error('InvalidRequest')
  if (isOwner) for (const key of keys) objects.delete(key)
  const refused = isOwner ? [] : keys
  const errors = refused.map((key) => `<Error><Key>${key}</Key><Code>AccessDenied</Code></Error>`)
  return xml('DeleteResult', ...errors)
}

const md5 = (bytes: Buffer) => createHash('md5').update(bytes).digest()

const mediaTypeOf = ({ headers }: S3Request) => headers['content-type'] ?? 'binary/octet-stream'

const xml = (root: string, ...content: string[]) => ({
  headers: { 'content-type': 'application/xml' },
  body: `<${root}>${content.join('')}</${root}>`,
})

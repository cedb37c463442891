import { randomBytes, randomUUID } from 'node:crypto'
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import {
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type S3Client,
} from '@aws-sdk/client-s3'
import { create as contentDisposition } from 'content-disposition'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createBucket, plainS3 } from '../testing/bucket.ts'
import { describeFileStorage } from '../testing/file-storage-conformance.ts'
import { createS3Storage, type S3Storage } from './s3.ts'
import type { S3Settings } from './s3-client.ts'

const JPEG = 'image/jpeg'

describeFileStorage('Swift', async () => createS3Storage(await createBucket()))

let settings: S3Settings
let storage: S3Storage
let plain: S3Client
let local: string

beforeAll(async () => {
  settings = await createBucket()
  storage = await createS3Storage(settings)
  plain = plainS3()
  local = await mkdtemp(join(tmpdir(), 'inframe-s3-'))
})
afterAll(async () => {
  storage.close()
  plain.destroy()
  await rm(local, { recursive: true })
})

async function localFile(bytes: Buffer): Promise<string> {
  const path = join(local, randomUUID())
  await writeFile(path, bytes)
  return path
}

describe('a signed address', () => {
  const key = `albums/${randomUUID()}/original`
  const filename = 'Hochzeit – Jörg & 花子 "1".jpg'
  const headers = {
    mediaType: JPEG,
    disposition: contentDisposition(filename, { type: 'attachment' }),
    cacheControl: 'private, max-age=300',
  }
  beforeAll(() => storage.write(key, Buffer.from('a photo'), 'application/octet-stream'))

  test('returns the file with its name and its type', async () => {
    const address = await storage.direct.sign(key, headers)
    expect(new URL(address).origin).toBe(storage.direct.origin)
    expect(storage.direct.origin).toBe(inject('swift').endpoint)
    const response = await fetch(address)
    expect(response.status).toBe(200)
    expect(await response.text()).toBe('a photo')
    expect(response.headers.get('content-type')).toBe(JPEG)
    expect(response.headers.get('content-disposition')).toBe(headers.disposition)
    expect(response.headers.get('cache-control')).toBe('private, max-age=300')
    expect(headers.disposition).toContain(`filename*=UTF-8''Hochzeit%20%E2%80%93%20J%C3%B6rg`)
  })

  test('stays the same for a while, so that browsers can cache the file', async () => {
    const start = 1_800_000_000_000
    const [first, soon, later] = await Promise.all(
      [start, start + 149_999, start + 150_000].map((now) => storage.direct.sign(key, headers, now)),
    )
    expect(soon).toBe(first)
    expect(later).not.toBe(first)
  })

  test('expires within five minutes, and not within two', async () => {
    const minutesAgo = async (minutes: number) =>
      (await fetch(await storage.direct.sign(key, headers, Date.now() - minutes * 60_000))).status
    expect(await minutesAgo(2)).toBe(200)
    expect(await minutesAgo(5.1)).toBe(403)
  })

  test('is refused when any part of it was changed', async () => {
    await storage.write(`${key}2`, Buffer.from('another photo'), JPEG)
    const address = await storage.direct.sign(key, headers)
    const changed = [
      address.replace('/original?', '/original2?'),
      address.replace('X-Amz-Expires=300', 'X-Amz-Expires=3000'),
      address.replace('attachment', 'inline'),
      address.replace(/(X-Amz-Signature=)(.)/, (_, name, digit) => name + (digit === '0' ? '1' : '0')),
      address.replace(/\?.*/, ''),
    ]
    for (const forged of changed) {
      expect(forged).not.toBe(address)
      expect([400, 403], forged).toContain((await fetch(forged)).status)
    }
  })
})

describe('a large file', () => {
  test('is stored in parts, exactly', async () => {
    const key = `albums/${randomUUID()}/original`
    const bytes = randomBytes(20 * 1024 * 1024)
    const path = await localFile(bytes)
    await storage.move(path, key, JPEG)
    expect(bytes.equals(await storage.read(key))).toBe(true)
    await expect(access(path)).rejects.toMatchObject({ code: 'ENOENT' })
    const head = await plain.send(new HeadObjectCommand({ Bucket: settings.bucket, Key: key }))
    expect(head.ContentType).toBe(JPEG)
    // S3 marks a file that came in parts by this suffix.
    expect(head.ETag).toMatch(/-3"$/)
  })

  test('that was never finished is removed when it is old', async () => {
    const unfinished = async () => {
      const found = await plain.send(new ListMultipartUploadsCommand({ Bucket: settings.bucket }))
      return (found.Uploads ?? []).map((upload) => upload.Key)
    }
    const Key = `albums/${randomUUID()}/original`
    await plain.send(new CreateMultipartUploadCommand({ Bucket: settings.bucket, Key }))
    await storage.removeAbandoned(60_000)
    expect(await unfinished()).toEqual([Key])
    // A negative age, so that the new upload counts as old.
    await storage.removeAbandoned(-60_000)
    expect(await unfinished()).toEqual([])
  })
})

test('deletes a folder of more files than one call takes, and counts them', {
  timeout: 180_000,
}, async () => {
  const folder = `albums/${randomUUID()}`
  const names = Array.from({ length: 1003 }, (_, number) => `${folder}/${number}/thumb`)
  await Promise.all(names.map((key) => storage.write(key, Buffer.from('x'), JPEG)))
  expect(await storage.count(folder)).toBe(1003)
  await storage.deleteFolder(folder)
  expect(await storage.count(folder)).toBe(0)
})

test('closes the connection of a file that is not read to its end', async () => {
  const key = `albums/${randomUUID()}/original`
  await storage.write(key, randomBytes(5_000_000), JPEG)
  const { stream } = await storage.open(key)
  const { socket } = stream as unknown as { socket: NodeJS.EventEmitter & { destroyed: boolean } }
  for await (const _ of stream) break
  expect(socket.destroyed).toBe(true)
  expect(await buffer((await storage.open(key)).stream)).toHaveLength(5_000_000)
})

import { readFile, unlink } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { hasCode } from '../errors.ts'
import { createLimiter } from '../processes/limiter.ts'
import { storeFault } from './disk-faults.ts'
import { checkedFolder, checkedKey, type DirectFiles, type FileStorage } from './file-storage.ts'
import { createS3Client, encryptionOf, S3_TIMEOUTS, type S3Settings } from './s3-client.ts'
import { isNotImplemented, s3Faults, undeleted } from './s3-faults.ts'

export interface S3Storage extends FileStorage {
  direct: DirectFiles
  /** Checks whether the bucket can be read, and whether an erasure could delete files, with the calls of an erasure.
   *  @throws AppError SERVICE_UNAVAILABLE, with an S3Fault as its cause */
  check(): Promise<void>
  close(): void
}

/** A file is sent from memory in one request, so that the SDK can repeat it: the largest has 20 MB. */
const CALLS_AT_ONCE = 8

/** How many keys one DeleteObjects gets; S3 allows 1,000. A store that deletes them one by one would need longer for
 *  1,000 than we wait: Swift needs up to 60 ms for each. */
const DELETED_AT_ONCE = 250

/** A key that no file has. */
const CHECKED = 'doctor/nothing'

/** Seconds. A signed address is valid for two steps from the start of the current one: for at least one step. */
const SIGNING_STEP_S = 150

/** Stores photos in a bucket of Amazon S3 or of a compatible store.
 *  @throws AppError SERVICE_UNAVAILABLE, with an S3Fault as its cause, when there are no credentials to sign with. */
export async function createS3Storage(settings: S3Settings, timeouts = S3_TIMEOUTS): Promise<S3Storage> {
  const Bucket = settings.bucket
  const { client, call } = createS3Client(settings, timeouts)
  const uploading = createLimiter({ running: CALLS_AT_ONCE })
  const deleting = createLimiter({ running: CALLS_AT_ONCE })
  let deletesSeveral = true

  async function put(key: string, body: Buffer, mediaType: string): Promise<void> {
    const file = { Bucket, Key: key, Body: body, ContentType: mediaType, ...encryptionOf(settings) }
    await call('PutObject', (options) => client.send(new PutObjectCommand(file), options))
  }

  async function get(key: string, options: { abortSignal: AbortSignal }, Range?: string) {
    const command = new GetObjectCommand({ Bucket, Key: key, Range })
    const { Body, ContentLength = 0 } = await client.send(command, options)
    return { stream: Body as Readable, size: ContentLength }
  }

  async function getFirstByte(key: string, options: { abortSignal: AbortSignal }): Promise<void> {
    try {
      await buffer((await get(key, options, 'bytes=0-0')).stream)
    } catch (error) {
      // The file has no bytes.
      if (!(error instanceof Error && error.name === 'InvalidRange')) throw error
    }
  }

  async function* keysUnder(prefix: string): AsyncGenerator<string[]> {
    const folder = { Bucket, Prefix: `${checkedFolder(prefix)}/` }
    let ContinuationToken: string | undefined
    do {
      const command = new ListObjectsV2Command({ ...folder, ContinuationToken })
      const page = await call('ListObjectsV2', (options) => client.send(command, options))
      yield (page.Contents ?? []).map(({ Key }) => Key!)
      ContinuationToken = page.NextContinuationToken
    } while (ContinuationToken)
  }

  async function deleteKey(key: string): Promise<void> {
    const command = new DeleteObjectCommand({ Bucket, Key: key })
    // Some stores, such as Google's, answer that a key is missing.
    await isThere(() => call('DeleteObject', (options) => client.send(command, options)))
  }

  /** @returns a code for each key that the store did not delete. */
  async function deleteKeys(keys: string[]): Promise<string[]> {
    if (deletesSeveral)
      try {
        return await deleteInOneCall(keys)
      } catch (error) {
        if (!isNotImplemented(error)) throw error
        deletesSeveral = false
      }
    await Promise.all(keys.map((key) => deleting.run('', () => deleteKey(key))))
    return []
  }

  async function deleteInOneCall(keys: string[]): Promise<string[]> {
    const command = new DeleteObjectsCommand({
      Bucket,
      Delete: { Objects: keys.map((Key) => ({ Key })), Quiet: true },
    })
    const { Errors = [] } = await call('DeleteObjects', (options) => client.send(command, options))
    return Errors.map(({ Code }) => Code ?? 'unknown').filter((code) => code !== 'NoSuchKey')
  }

  async function sign(...[key, headers, now = Date.now()]: Parameters<DirectFiles['sign']>): Promise<string> {
    const step = Math.floor(now / 1000 / SIGNING_STEP_S) * SIGNING_STEP_S
    const command = new GetObjectCommand({
      Bucket,
      Key: checkedKey(key),
      ResponseContentType: headers.mediaType,
      ResponseContentDisposition: headers.disposition,
      ResponseCacheControl: headers.cacheControl,
    })
    const options = { expiresIn: 2 * SIGNING_STEP_S, signingDate: new Date(step * 1000) }
    return await s3Faults('signing', () => getSignedUrl(client, command, options))
  }

  const anyAddress = await sign('any', { mediaType: '', disposition: '', cacheControl: '' })

  return {
    direct: { origin: new URL(anyAddress).origin, sign },
    bucket: settings.endpoint ? undefined : Bucket,

    async check() {
      // Used instead of HeadBucket, whose answer does not name the error.
      const command = new ListObjectsV2Command({ Bucket, MaxKeys: 1 })
      const options = { abortSignal: AbortSignal.timeout(timeouts.check) }
      await s3Faults('ListObjectsV2', () => client.send(command, options))
      const errors = await deleteKeys([CHECKED])
      if (errors.length > 0) throw undeleted(errors)
    },

    close() {
      client.destroy()
    },

    async move(path, key, mediaType) {
      checkedKey(key)
      await uploading.run('', async () => {
        await put(key, await storeFault(() => readFile(path)), mediaType)
      })
      await storeFault(() => unlink(path))
    },

    async write(key, bytes, mediaType) {
      checkedKey(key)
      await uploading.run('', () => put(key, bytes, mediaType))
    },

    async read(key) {
      checkedKey(key)
      return await call('GetObject', async (options) => buffer((await get(key, options)).stream))
    },

    async open(key) {
      checkedKey(key)
      return await call('GetObject', (options) => get(key, options))
    },

    async exists(key) {
      checkedKey(key)
      // Used instead of HeadObject, because this answer distinguishes a missing file from a missing bucket.
      return await isThere(() => call('GetObject', (options) => getFirstByte(key, options)))
    },

    async delete(key) {
      await deleteKey(checkedKey(key))
    },

    async deleteFolder(prefix, until) {
      const errors: string[] = []
      for await (const keys of keysUnder(prefix)) {
        while (keys.length > 0 && !until?.aborted)
          errors.push(...(await deleteKeys(keys.splice(0, DELETED_AT_ONCE))))
        if (until?.aborted) break
      }
      if (errors.length > 0) throw undeleted(errors)
      return !until?.aborted
    },

    async count(prefix) {
      let found = 0
      for await (const keys of keysUnder(prefix)) found += keys.length
      return found
    },
  }
}

async function isThere(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (hasCode(error, 'NOT_FOUND')) return false
    throw error
  }
}

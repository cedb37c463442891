import { randomUUID } from 'node:crypto'
import { create as contentDisposition } from 'content-disposition'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { AppError } from '../errors.ts'
import { createS3Storage, type S3Storage } from '../storage/s3.ts'
import type { S3Settings } from '../storage/s3-client.ts'
import { S3Fault } from '../storage/s3-faults.ts'
import { actAs, createBucket, letGuestsRead, s3Server } from './bucket.ts'
import { describeFileStorage } from './file-storage-conformance.ts'
import type { AwsCredentials, S3Server } from './s3-stand-in.ts'

const JPEG = 'image/jpeg'

export const UNAVAILABLE = 'The photo storage is currently unavailable'

/** The tests that photos on S3 must pass with the S3 of this test run.
 *  @param options.page how many keys it lists at once */
export function describeS3Storage(
  name: string,
  { page, checksSignatures }: { page: number; checksSignatures: boolean },
): void {
  describe(`photos on ${name}`, () => {
    let s3: S3Server
    let settings: S3Settings
    let storage: S3Storage

    beforeAll(async () => {
      s3 = await s3Server()
      settings = await createBucket()
      storage = await createS3Storage(settings)
      return () => storage.close()
    })
    beforeEach(() => actAs(s3.owner))
    afterAll(() => vi.unstubAllEnvs())

    describeFileStorage(name, async () => storage)

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
        expect(storage.direct.origin).toBe(s3.endpoint)
        const response = await fetch(address)
        expect(response.status).toBe(200)
        expect(await response.text()).toBe('a photo')
        expect(response.headers.get('content-type')).toBe(JPEG)
        expect(response.headers.get('content-disposition')).toBe(headers.disposition)
        expect(response.headers.get('cache-control')).toBe('private, max-age=300')
        expect(headers.disposition).toContain(`filename*=UTF-8''Hochzeit%20%E2%80%93%20J%C3%B6rg`)
      })

      test('expires within five minutes, and not within two', async () => {
        const minutesAgo = async (minutes: number) =>
          (await fetch(await storage.direct.sign(key, headers, Date.now() - minutes * 60_000))).status
        expect(await minutesAgo(2)).toBe(200)
        expect(await minutesAgo(5.1)).toBe(403)
      })

      test.runIf(checksSignatures)('is refused when any part of it was changed', async () => {
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

    test('counts and deletes a folder of more files than one call lists or deletes', async () => {
      const folder = `albums/${randomUUID()}`
      const names = Array.from({ length: page + 3 }, (_, number) => `${folder}/${number}/thumb`)
      await Promise.all(names.map((key) => storage.write(key, Buffer.from('x'), JPEG)))
      expect(await storage.count(folder)).toBe(page + 3)
      await storage.deleteFolder(folder)
      expect(await storage.count(folder)).toBe(0)
    })

    describe('a wrong setting is named to the maintainer, and not to visitors', () => {
      async function wrongStorage(changed: Partial<S3Settings>): Promise<S3Storage> {
        const wrong = await createS3Storage({ ...settings, ...changed })
        onTestFinished(() => wrong.close())
        return wrong
      }
      const named = (line: RegExp) => [UNAVAILABLE, expect.stringMatching(line), true]

      test.each<[RegExp, () => AwsCredentials]>([
        [/^AWS_ACCESS_KEY_ID: the owner of this key is not allowed/, () => s3.guest],
        // Some stores do not say which of the two is wrong.
        [
          /^AWS_(ACCESS_KEY_ID|SECRET_ACCESS_KEY): /,
          () => ({ accessKeyId: 'inframe:nobody', secretAccessKey: 'anything' }),
        ],
      ])('%s', async (line, credentials) => {
        actAs(credentials())
        expect(await s3Failure((await wrongStorage({})).check())).toEqual(named(line))
      })

      test.runIf(checksSignatures)('the secret', async () => {
        actAs({ ...s3.owner, secretAccessKey: 'a-wrong-secret' })
        expect(await s3Failure((await wrongStorage({})).check())).toEqual(named(/^AWS_SECRET_ACCESS_KEY: /))
      })

      test('AWS_REGION', async () => {
        const wrong = await wrongStorage({ region: 'eu-central-1' })
        expect(await s3Failure(wrong.check())).toEqual(named(/^AWS_REGION: the bucket is in another/))
      })

      test('S3_BUCKET', async () => {
        const missing = await wrongStorage({ bucket: 'missing' })
        for (const call of [
          () => missing.check(),
          () => missing.read('albums/1/original'),
          () => missing.exists('albums/1/original'),
          () => missing.write('albums/1/original', Buffer.from('x'), JPEG),
          () => missing.deleteFolder('albums/1'),
        ])
          expect(await s3Failure(call())).toEqual(named(/^S3_BUCKET: this bucket does not exist/))
      })

      test('the endpoint, which may also be unavailable for a while', async () => {
        // Nothing listens on this port.
        const away = await wrongStorage({ endpoint: 'http://127.0.0.1:9' })
        expect(await s3Failure(away.check())).toEqual([
          UNAVAILABLE,
          'The store cannot be reached (ListObjectsV2: ECONNREFUSED)',
          false,
        ])
      })
    })

    test('reports that it was not allowed to delete files, and does not count them as deleted', async () => {
      const folder = `albums/${randomUUID()}`
      for (const name of ['a', 'b']) await storage.write(`${folder}/${name}`, Buffer.from(name), JPEG)
      await letGuestsRead(settings.bucket)
      actAs(s3.guest)
      const reader = await createS3Storage(settings)
      onTestFinished(() => reader.close())
      expect(await s3Failure(reader.check())).toEqual([
        UNAVAILABLE,
        'AWS_ACCESS_KEY_ID: the owner of this key is not allowed to do this in the bucket (DeleteObjects: 1 files, AccessDenied)',
        true,
      ])
      expect(await reader.count(folder)).toBe(2)
      expect(await s3Failure(reader.deleteFolder(folder))).toEqual([
        UNAVAILABLE,
        'AWS_ACCESS_KEY_ID: the owner of this key is not allowed to do this in the bucket (DeleteObjects: 2 files, AccessDenied)',
        true,
      ])
      expect((await s3Failure(reader.delete(`${folder}/a`)))[1]).toMatch(/^AWS_ACCESS_KEY_ID: .*AccessDenied/)
      expect((await s3Failure(reader.write(`${folder}/c`, Buffer.from('c'), JPEG)))[1]).toMatch(
        /AccessDenied/,
      )
      expect(await storage.count(folder)).toBe(2)
    })
  })
}

/** The failure of a call to a store as [what a visitor reads, what the maintainer reads, whether a setting is at fault]. */
export async function s3Failure(work: Promise<unknown>): Promise<[string, string, boolean]> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(AppError)
  const { code, message, cause } = error as AppError
  expect(code).toBe('SERVICE_UNAVAILABLE')
  expect(cause).toBeInstanceOf(S3Fault)
  return [message, (cause as S3Fault).message, (cause as S3Fault).isSetting]
}

import { randomUUID } from 'node:crypto'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { inject, vi } from 'vitest'
import type { S3Settings } from '../storage/s3-client.ts'
import type { SwiftUser } from './swift.ts'

/** The AWS SDK, as any other program would use it on the run's Swift. */
export function plainS3(): S3Client {
  const { endpoint, owner } = inject('swift')
  return new S3Client({
    endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: owner,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
}

/** Gives a test a new bucket on the run's Swift, and its credentials to the AWS SDK's own variables. */
export async function createBucket(): Promise<S3Settings> {
  const { endpoint, owner } = inject('swift')
  const bucket = `test-${randomUUID()}`
  const s3 = plainS3()
  await s3.send(new CreateBucketCommand({ Bucket: bucket }))
  s3.destroy()
  actAs(owner)
  return { bucket, endpoint, forcePathStyle: true, region: 'us-east-1', encryption: undefined }
}

/** Lets the guest list and read a bucket, and nothing more. S3's own call for this is not part of s3api. */
export async function letGuestsRead(bucket: string): Promise<void> {
  const { endpoint, owner, guest } = inject('swift')
  const login = await fetch(`${endpoint}/auth/v1.0`, {
    headers: { 'x-auth-user': owner.accessKeyId, 'x-auth-key': owner.secretAccessKey },
  })
  const { status } = await fetch(`${login.headers.get('x-storage-url')}/${bucket}`, {
    method: 'POST',
    headers: { 'x-auth-token': login.headers.get('x-auth-token')!, 'x-container-read': guest.accessKeyId },
  })
  if (status !== 204) throw new Error(`Swift answered ${status}`)
}

/** Storages that are created from now on in this test file use these credentials. */
export function actAs({ accessKeyId, secretAccessKey }: SwiftUser): void {
  vi.stubEnv('AWS_ACCESS_KEY_ID', accessKeyId)
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', secretAccessKey)
}

import { randomUUID } from 'node:crypto'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { inject, vi } from 'vitest'
import type { S3Settings } from '../storage/s3-client.ts'
import { type AwsCredentials, type S3Server, startS3StandIn } from './s3-stand-in.ts'

let standIn: ReturnType<typeof startS3StandIn> | undefined

/** The S3 of this test run: Swift in `npm run test:slow`; otherwise a stand-in, which all tests of a process share. */
export async function s3Server(): Promise<S3Server> {
  const swift = inject('swift')
  if (swift) return swift
  standIn ??= startS3StandIn()
  return await standIn
}

/** The AWS SDK's client for the S3 of this test run, without Inframe's own settings. */
export async function plainS3(): Promise<S3Client> {
  const { endpoint, owner } = await s3Server()
  return new S3Client({
    endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: owner,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
}

/** Creates a bucket on the S3 of this test run, and sets the AWS SDK's variables to its credentials. The test file has
 *  to call `vi.unstubAllEnvs` at its end. */
export async function createBucket(): Promise<S3Settings> {
  const { endpoint, owner } = await s3Server()
  const bucket = `test-${randomUUID()}`
  const s3 = await plainS3()
  await s3.send(new CreateBucketCommand({ Bucket: bucket }))
  s3.destroy()
  actAs(owner)
  return { bucket, endpoint, forcePathStyle: true, region: 'us-east-1', encryption: undefined }
}

/** Allows the guest to list and read a bucket, and nothing more. */
export async function letGuestsRead(bucket: string): Promise<void> {
  const { endpoint, owner, guest } = await s3Server()
  if (standIn) return (await standIn).letGuestsRead(bucket)
  // Swift's s3api lacks S3's call for this.
  const login = await fetch(`${endpoint}/auth/v1.0`, {
    headers: { 'x-auth-user': owner.accessKeyId, 'x-auth-key': owner.secretAccessKey },
  })
  const { status } = await fetch(`${login.headers.get('x-storage-url')}/${bucket}`, {
    method: 'POST',
    headers: { 'x-auth-token': login.headers.get('x-auth-token')!, 'x-container-read': guest.accessKeyId },
  })
  if (status !== 204) throw new Error(`Swift answered ${status}`)
}

/** Sets the credentials of the storages that this test file creates from now on. */
export function actAs({ accessKeyId, secretAccessKey }: AwsCredentials): void {
  vi.stubEnv('AWS_ACCESS_KEY_ID', accessKeyId)
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', secretAccessKey)
}

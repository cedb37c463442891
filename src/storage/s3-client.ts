import { createHash } from 'node:crypto'
import { S3Client } from '@aws-sdk/client-s3'
import { s3Faults } from './s3-faults.ts'

export interface S3Settings {
  bucket: string
  /** The address of a store other than Amazon's; undefined for Amazon S3. */
  endpoint: string | undefined
  /** Whether addresses are `https://host/bucket/key` instead of `https://bucket.host/key`. */
  forcePathStyle: boolean
  /** Undefined: the AWS SDK finds it by itself. */
  region: string | undefined
  /** `AES256`, `aws:kms` or `aws:kms:<key>`; undefined: the bucket's own setting. */
  encryption: string | undefined
}

/** Ms to wait for a connection, for the next byte, for a whole call with the SDK's retries, and for a check. The whole
 *  call takes less time than the age from which an unfinished upload counts as abandoned. A start waits for the check. */
export const S3_TIMEOUTS = { connect: 5_000, silence: 20_000, whole: 60_000, check: 10_000 }

/** Makes one call to the store. `work` must pass its argument on to the SDK, because it aborts a call that takes too
 *  long. @param what the name of the call, for error messages */
export type S3Call = <T>(
  what: string,
  work: (options: { abortSignal: AbortSignal }) => Promise<T>,
) => Promise<T>

export function createS3Client(
  { endpoint, forcePathStyle, region }: S3Settings,
  timeouts: typeof S3_TIMEOUTS,
): { client: S3Client; call: S3Call } {
  const client = new S3Client({
    forcePathStyle,
    ...(endpoint && { endpoint }),
    ...(region && { region }),
    // Amazon S3 checks what it receives; other stores do not know all of the SDK's checksums.
    requestChecksumCalculation: endpoint ? 'WHEN_REQUIRED' : 'WHEN_SUPPORTED',
    // Otherwise a body that is not read to its end would keep its connection.
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: timeouts.connect, socketTimeout: timeouts.silence },
  })
  if (endpoint) sendContentMd5(client)
  return {
    client,
    async call(what, work) {
      const abort = new AbortController()
      const timer = setTimeout(() => abort.abort(), timeouts.whole)
      try {
        return await s3Faults(what, () => work({ abortSignal: abort.signal }))
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

/** Sends DeleteObjects with an MD5 checksum instead of the SDK's CRC32. Older clients of S3 sent an MD5, and many
 *  other stores still require it. */
function sendContentMd5(client: S3Client): void {
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const { headers, body } = args.request as { headers: Record<string, string>; body: string }
        if (commandName === 'DeleteObjectsCommand') {
          for (const name of Object.keys(headers))
            if (/^x-amz-(checksum-|sdk-checksum-)/i.test(name)) delete headers[name]
          headers['content-md5'] = createHash('md5').update(body).digest('base64')
        }
        return next(args)
      },
    { step: 'build', priority: 'low', name: 'contentMd5' },
  )
}

/** The encryption settings for storing a file. */
export function encryptionOf({ encryption }: S3Settings): {
  ServerSideEncryption?: 'AES256' | 'aws:kms'
  SSEKMSKeyId?: string
} {
  if (!encryption) return {}
  if (encryption === 'AES256') return { ServerSideEncryption: 'AES256' }
  const key = encryption.slice('aws:kms:'.length)
  return { ServerSideEncryption: 'aws:kms', ...(key && { SSEKMSKeyId: key }) }
}

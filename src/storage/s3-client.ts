import { createHash } from 'node:crypto'
import { S3Client } from '@aws-sdk/client-s3'
import { s3Faults } from './s3-faults.ts'

export interface S3Settings {
  bucket: string
  /** Of a store that is not Amazon's. */
  endpoint: string | undefined
  /** `https://host/bucket/key` in the place of `https://bucket.host/key`. */
  forcePathStyle: boolean
  /** Undefined: what the AWS SDK finds by itself. */
  region: string | undefined
  /** `AES256`, `aws:kms` or `aws:kms:<key>`; undefined: as the bucket says. */
  encryption: string | undefined
}

/** How many ms to wait for a connection, for the next byte, and for a whole call with the SDK's retries. The last
 *  is less than the age from which a half-finished upload counts as abandoned. */
export const S3_PATIENCE = { connect: 5_000, silence: 20_000, whole: 60_000 }

/** One call to the store: `work` passes on its argument, which ends what takes too long. */
export type S3Call = <T>(
  what: string,
  work: (options: { abortSignal: AbortSignal }) => Promise<T>,
) => Promise<T>

export function createS3Client(
  { endpoint, forcePathStyle, region }: S3Settings,
  patience: typeof S3_PATIENCE,
): { client: S3Client; call: S3Call } {
  const client = new S3Client({
    forcePathStyle,
    ...(endpoint && { endpoint }),
    ...(region && { region }),
    // Amazon's own checks what it receives; other stores do not know all of the SDK's checksums.
    requestChecksumCalculation: endpoint ? 'WHEN_REQUIRED' : 'WHEN_SUPPORTED',
    // Else a body that is not read to its end would keep its connection.
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: patience.connect, socketTimeout: patience.silence },
  })
  if (endpoint) sendContentMd5(client)
  return {
    client,
    async call(what, work) {
      const abort = new AbortController()
      const timer = setTimeout(() => abort.abort(), patience.whole)
      try {
        return await s3Faults(what, () => work({ abortSignal: abort.signal }))
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

/** DeleteObjects has to carry a checksum. The SDK sends a CRC32 where S3's older clients sent an MD5, which is what
 *  many other stores still insist on. */
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

/** What a file is to be stored with. */
export function encryptionOf({ encryption }: S3Settings): {
  ServerSideEncryption?: 'AES256' | 'aws:kms'
  SSEKMSKeyId?: string
} {
  if (!encryption) return {}
  if (encryption === 'AES256') return { ServerSideEncryption: 'AES256' }
  const key = encryption.slice('aws:kms:'.length)
  return { ServerSideEncryption: 'aws:kms', ...(key && { SSEKMSKeyId: key }) }
}

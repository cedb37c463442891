import { createBucket } from '../testing/bucket.ts'
import { describeFileStorage } from './conformance.ts'
import { createS3Storage } from './s3.ts'

describeFileStorage('Swift', async () => createS3Storage(await createBucket()))

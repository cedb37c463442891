import { describeS3Storage } from '../testing/s3-conformance.ts'

describeS3Storage('Swift', 1000)

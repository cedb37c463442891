import { describeS3Storage } from '../testing/s3-conformance.ts'

describeS3Storage('Swift', { page: 1000, checksSignatures: true })

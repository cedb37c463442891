import { describeFlowOnS3 } from '../testing/flow-on-s3.ts'

describeFlowOnS3()

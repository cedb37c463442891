import type { TestProject } from 'vitest/node'
import type { S3Server } from './s3-stand-in.ts'
import { startSwift } from './swift.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The Swift of this test run, only in `npm run test:s3`. */
    swift?: S3Server
  }
}

/** Vitest's global setup for the tests on S3. */
export default async function startSwiftForTests(project: TestProject): Promise<() => Promise<void>> {
  const { stop, ...swift } = await startSwift()
  project.provide('swift', swift)
  return stop
}

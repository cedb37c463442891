import { spawnSync } from 'node:child_process'
import type { TestProject } from 'vitest/node'
import type { S3Server } from './s3-stand-in.ts'
import { isSwiftInstalled, SWIFT_PACKAGES, startSwift } from './swift.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The Swift of this test run, only in the tests on S3 of `npm run test:slow`. */
    swift?: S3Server
  }
}

/** Vitest's global setup for the tests on S3. Root installs Debian's Swift if it is missing. */
export default async function startSwiftForTests(project: TestProject): Promise<() => Promise<void>> {
  if (!isSwiftInstalled()) install()
  const { stop, ...swift } = await startSwift()
  project.provide('swift', swift)
  return stop
}

function install(): void {
  const command = `apt-get install --quiet --yes --no-install-recommends ${SWIFT_PACKAGES.join(' ')}`
  console.log(`The tests on S3 need OpenStack Swift. Installing it: ${command}`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  for (const line of ['apt-get update --quiet', command])
    spawnSync('sh', ['-c', line], { stdio: 'inherit', env })
  if (!isSwiftInstalled())
    throw new Error(`OpenStack Swift could not be installed. As root, on Debian, run: ${command}`)
}

/** Runs the tests that need an S3, on Debian's OpenStack Swift: `npm run test:s3 [-- FILE ...]`. */
import { spawnSync } from 'node:child_process'
import { isSwiftInstalled, SWIFT_PACKAGES } from '../src/testing/swift.ts'

if (!isSwiftInstalled()) install()
const config = `${import.meta.dirname}/test-s3.config.ts`
process.exit(run('vitest', ['run', '--config', config, ...process.argv.slice(2)]))

function install(): void {
  const command = `apt-get install --no-install-recommends ${SWIFT_PACKAGES.join(' ')}`
  if (process.getuid?.() !== 0) giveUp(`Only root can install it. As root, run: ${command}`)
  if (spawnSync('apt-get', ['--version']).error)
    giveUp(`This system has no apt-get. Install these programs in another way: ${SWIFT_PACKAGES.join(', ')}`)
  console.log(`Installing OpenStack Swift for the tests on S3: ${command}`)
  run('apt-get', ['update', '--quiet'])
  const status = run('apt-get', ['install', '--quiet', '--yes', '--no-install-recommends', ...SWIFT_PACKAGES])
  if (status !== 0 || !isSwiftInstalled()) giveUp(`This command did not install it: ${command}`)
}

function run(program: string, args: string[]): number {
  const { status, error } = spawnSync(program, args, {
    stdio: 'inherit',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  if (error) throw error
  return status ?? 1
}

function giveUp(reason: string): never {
  console.error(`The tests on S3 need OpenStack Swift, which is not installed. ${reason}`)
  process.exit(1)
}

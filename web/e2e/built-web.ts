import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Vitest's global set-up: the browser tests use a build of the current sources. */
export default async function buildWeb(): Promise<void> {
  const script = join(import.meta.dirname, '../../scripts/build-web.ts')
  await promisify(execFile)(process.execPath, [script, '--if-needed'])
}

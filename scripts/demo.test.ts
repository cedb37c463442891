import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../src/testing/app.ts'

let service: TestApp
let folder: string

beforeAll(async () => {
  service = await startTestApp()
  folder = await mkdtemp(join(tmpdir(), 'inframe-demo-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true })
  await service.close()
})

/** Runs the demo. @returns its standard output. */
async function demo(...args: string[]): Promise<string> {
  const command = [join(import.meta.dirname, 'demo.ts'), '--url', service.url, ...args]
  return (await promisify(execFile)(process.execPath, command)).stdout
}

describe('npm run demo', () => {
  test('finds the photos of the person in its selfie, and prints the link and the password', async () => {
    const output = await demo()
    expect(output).toMatch(/Uploading: 6 of 6\nIndexing: {2}6 of 6\n/)
    expect(output).toMatch(
      /in 2 photos:\n {2}sample3\.jpg {2}similarity \d+\.\d of 100\n {2}sample1\.jpg {2}similarity/,
    )
    const [, albumName] = output.match(/^Link {6}\S+\/album\/(\S+)$/m)!
    const [, password] = output.match(/^Password {2}(\S+)$/m)!
    const response = await fetch(`${service.url}/api/albums/${albumName}/authenticate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ password }),
    })
    expect(response.status).toBe(200)
  })
})

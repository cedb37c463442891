import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, databaseUrl, type TestDatabase } from '../src/testing/database.ts'
import { headerOf, startMailServer, type TestMailServer } from '../src/testing/mail-server.ts'
import { spawnService } from '../src/testing/process.ts'
import { recogniseFromTable } from '../src/testing/rekognition/recogniser.ts'
import { type StandIn, startStandInRekognition } from '../src/testing/rekognition/stand-in.ts'

describe('npm run doctor', () => {
  let folder: string
  let database: TestDatabase
  let mailServer: TestMailServer
  let rekognition: StandIn
  let env: Record<string, string>

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'inframe-doctor-'))
    database = await createTestDatabase()
    mailServer = await startMailServer()
    rekognition = await startStandInRekognition({ recognise: recogniseFromTable(new Map()) })
    env = {
      DATA_DIR: folder,
      DATABASE_URL: databaseUrl(database.address),
      SECRET_KEY: 'a secret key that is long enough for it',
      SMTP_URL: `smtp://127.0.0.1:${mailServer.port}?tls.rejectUnauthorized=false`,
      FACES: 'rekognition',
      REKOGNITION_ENDPOINT: rekognition.endpoint,
      AWS_REGION: rekognition.region,
      AWS_ACCESS_KEY_ID: rekognition.credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: rekognition.credentials.secretAccessKey,
    }
  })
  afterAll(async () => {
    await rekognition?.close()
    await mailServer?.close()
    await database?.drop()
    await rm(folder, { recursive: true })
  })

  async function doctor(changes: Record<string, string> = {}, ...args: string[]) {
    const command: [string, ...string[]] = [process.execPath, join(import.meta.dirname, 'doctor.ts'), ...args]
    const { ended, output } = spawnService({ ...env, ...changes }, command)
    const code = await ended
    return { code, output: output() }
  }

  test('tries every part, and sends a test letter to the given address', async () => {
    const { code, output } = await doctor({}, '--letter-to', 'operator@example.com')
    expect(output.match(/^(ok|FAILED) +\w+/gm)).toEqual(
      ['configuration', 'database', 'storage', 'pictures', 'faces', 'albums', 'mail', 'limits'].map(
        (part) => `ok      ${part}`,
      ),
    )
    expect(code).toBe(0)
    expect(rekognition.count('CreateCollection')).toBe(1)
    expect(rekognition.count('IndexFaces')).toBe(1)
    expect(rekognition.count('DeleteCollection')).toBe(1)
    expect(mailServer.received.map(({ message }) => headerOf(message, 'To'))).toEqual([
      'operator@example.com',
    ])
  })

  test('names each part that fails, with its variable, and prints no secret', async () => {
    rekognition.fault = () => 'InvalidSignatureException'
    const { code, output } = await doctor({
      AWS_SECRET_ACCESS_KEY: 'not the right one',
      SMTP_URL: 'smtp://127.0.0.1:1',
      PUBLIC_URL: 'http://127.0.0.1:1',
    })
    expect(code).toBe(1)
    expect(output).toMatch(/^ok {6}storage/m)
    expect(output).toMatch(/^FAILED {2}faces: .*InvalidSignature.* Check AWS_REGION, the credentials/m)
    expect(output).toMatch(/^FAILED {2}mail: .*ECONNREFUSED.* Check SMTP_URL/m)
    expect(output).toMatch(/^FAILED {2}address: PUBLIC_URL: no answer from/m)
    expect(output).not.toContain('not the right one')
    const other = await doctor({ SECRET_KEY: 'another key than the one of all other tests' })
    expect(other.output).toMatch(/^FAILED {2}database: SECRET_KEY: a key that is needed is missing/m)
  })
})

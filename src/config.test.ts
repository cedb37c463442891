import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadConfig } from './config.ts'

const fault = (env: NodeJS.ProcessEnv): string => {
  try {
    loadConfig(env)
  } catch (error) {
    return (error as Error).message
  }
  return 'none'
}

describe('the environment', () => {
  test('may be empty', () => {
    const config = loadConfig({})
    expect(config).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      role: 'all',
      database: { kind: 'embedded' },
    })
    expect(config.dataDir).toMatch(/\/data$/)
  })

  test('is explained in .env.example, each variable once', () => {
    const example = readFileSync(join(import.meta.dirname, '../.env.example'), 'utf8')
    const names = [...example.matchAll(/^([A-Z][A-Z0-9_]*)=/gm)].map(([, name]) => name!)
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
    expect(names).toContain('PHOTO_LIBRARY_URL')
  })

  test('limits what visitors can use up, in numbers that a real event does not reach', () => {
    expect(loadConfig({}).limits).toEqual({
      albumCreation: 'open',
      albumsPerDay: 100,
      album: { photos: 100_000, bytes: 500e9 },
      stagingBytes: 2e9,
      freeDiskBytes: 1e9,
      reserveBytes: 256e6,
    })
    expect(loadConfig({ DISK_FREE_MIN_MB: '0', ALBUM_CREATION: 'closed' }).limits).toMatchObject({
      albumCreation: 'closed',
      freeDiskBytes: 0,
    })
    expect(fault({ STAGING_MAX_MB: '100' })).toBe('STAGING_MAX_MB: must be at least 200, but it is "100".')
    expect(fault({ ALBUM_CREATION: 'friends' })).toMatch(/^ALBUM_CREATION.*"friends"/)
  })

  test('an empty variable counts as missing', () => {
    expect(loadConfig({ PORT: '', DATABASE_URL: '' })).toMatchObject({
      port: 3000,
      database: { kind: 'embedded' },
    })
  })

  test('all faults are named at once, each with its variable', () => {
    const lines = fault({ PORT: 'eighty', ROLE: 'both', PUBLIC_URL: 'example.com' }).split('\n')
    expect(lines.map((line) => line.split(':')[0]).sort()).toEqual(['PORT', 'PUBLIC_URL', 'ROLE'])
    expect(lines.join()).toContain('"eighty"')
  })

  test('a fault never repeats a secret', () => {
    expect(fault({ SECRET_KEY: 'hunter2' })).not.toContain('hunter2')
    expect(fault({ DATABASE_URL: 'mysql://user:hunter2@host' })).not.toContain('hunter2')
    expect(fault({ SMTP_URL: 'http://user:hunter2@host' })).toMatch(/^SMTP_URL(?!.*hunter2)/)
    expect(fault({ ADMIN_TOKEN: 'hunter2' })).toMatch(/^ADMIN_TOKEN(?!.*hunter2)/)
    expect(fault({ GOOGLE_CLIENT_SECRET: 'hunter2' })).not.toContain('hunter2')
  })

  test('DATABASE_URL needs a key that all processes share', () => {
    expect(fault({ DATABASE_URL: 'postgres://host/db' })).toMatch(/^SECRET_KEY/)
    const key = 'k'.repeat(32)
    expect(loadConfig({ DATABASE_URL: 'postgres://host/db', SECRET_KEY: `${key}, ${key}2` })).toMatchObject({
      database: { kind: 'url', url: 'postgres://host/db' },
      secretKeys: [key, `${key}2`],
    })
  })

  test('a process of one role cannot use the embedded Postgres', () => {
    expect(fault({ ROLE: 'worker' })).toMatch(/^ROLE.*DATABASE_URL/)
    expect(fault({ ROLE: 'worker' })).toMatch(/^PUBLIC_URL: .*letters/m)
  })

  test.each<[string, NodeJS.ProcessEnv]>([
    ['setup-link', {}],
    ['setup-link', { HOST: 'localhost', PUBLIC_URL: 'http://localhost:3000' }],
    ['setup-link', { HOST: '::1', PUBLIC_URL: 'http://[::1]:3000' }],
    ['setup-link', { HOST: '127.0.0.2', PUBLIC_URL: 'http://127.0.0.2' }],
    ['none', { HOST: '0.0.0.0' }],
    ['none', { HOST: '::' }],
    ['none', { HOST: '127.example.com' }],
    ['none', { HOST: '0.0.0.0', PUBLIC_URL: 'http://localhost:3000' }],
    ['none', { PUBLIC_URL: 'https://photos.example.com' }],
    ['none', { PUBLIC_URL: 'https://localhost.example.com' }],
    ['token', { ADMIN_TOKEN: 'a token of the maintainer' }],
    ['token', { ADMIN_TOKEN: 'a token of the maintainer', PUBLIC_URL: 'https://photos.example.com' }],
  ])('maintainers identify by %s with %j', (kind, env) => {
    expect(loadConfig(env).maintainerAccess.kind).toBe(kind)
  })

  test('a worker, which has no pages, has no set-up links', () => {
    const env = { ROLE: 'worker', DATABASE_URL: 'postgres://host/db', SECRET_KEY: 'k'.repeat(32) }
    expect(loadConfig({ ...env, PUBLIC_URL: 'http://localhost' }).maintainerAccess.kind).toBe('none')
  })

  test('settings for the pages are checked', () => {
    const settings = {
      PHOTO_LIBRARY_URL: 'https://example.com/?a=1',
      ANALYTICS_MEASUREMENT_ID: 'G-AB12CD34EF',
    }
    expect(loadConfig(settings)).toMatchObject({
      photoLibraryUrl: 'https://example.com/?a=1',
      analyticsMeasurementId: 'G-AB12CD34EF',
    })
    expect(fault({ PHOTO_LIBRARY_URL: 'javascript:alert(1)' })).toMatch(/^PHOTO_LIBRARY_URL/)
    expect(fault({ ANALYTICS_MEASUREMENT_ID: 'UA-1' })).toMatch(/^ANALYTICS_MEASUREMENT_ID.*"UA-1"/)
  })

  test('a mail server is named by its address', () => {
    for (const SMTP_URL of ['smtp://localhost:1025', 'smtps://user:p%40ss@mail.example.com'])
      expect(loadConfig({ SMTP_URL }).smtpUrl).toBe(SMTP_URL)
    for (const SMTP_URL of ['mail.example.com:25', 'smtp://', 'https://mail.example.com'])
      expect(fault({ SMTP_URL })).toMatch(/^SMTP_URL: .* such as smtps:/)
  })

  test('photos are on the disk, or in the named bucket', () => {
    expect(loadConfig({}).storage).toEqual({ kind: 'disk' })
    expect(loadConfig({ S3_BUCKET: 'party' }).storage).toEqual({
      kind: 's3',
      bucket: 'party',
      endpoint: undefined,
      forcePathStyle: false,
      region: undefined,
      encryption: undefined,
    })
    const elsewhere = {
      S3_BUCKET: 'party',
      S3_ENDPOINT: 'https://s3.example.com',
      S3_FORCE_PATH_STYLE: 'true',
    }
    expect(loadConfig(elsewhere).storage).toMatchObject({
      endpoint: 'https://s3.example.com',
      forcePathStyle: true,
      region: 'us-east-1',
    })
    expect(loadConfig({ ...elsewhere, AWS_REGION: 'here' }).storage).toMatchObject({ region: 'here' })
    for (const S3_ENCRYPTION of ['AES256', 'aws:kms', 'aws:kms:alias/photos'])
      expect(loadConfig({ S3_BUCKET: 'party', S3_ENCRYPTION }).storage).toMatchObject({
        encryption: S3_ENCRYPTION,
      })
  })

  test('contradicting settings of a store are refused', () => {
    expect(fault({ S3_ENDPOINT: 'https://s3.example.com' })).toMatch(/^S3_BUCKET/)
    expect(fault({ S3_ENCRYPTION: 'AES256' })).toMatch(/^S3_BUCKET/)
    expect(fault({ S3_BUCKET: 'party', S3_ENDPOINT: 's3.example.com' })).toMatch(/^S3_ENDPOINT/)
    expect(fault({ S3_BUCKET: 'party', S3_FORCE_PATH_STYLE: 'yes' })).toMatch(/^S3_FORCE_PATH_STYLE.*"yes"/)
    expect(fault({ S3_BUCKET: 'party', S3_ENCRYPTION: 'rot13' })).toMatch(/^S3_ENCRYPTION/)
  })

  test("the two parts of Google's client are both needed", () => {
    expect(loadConfig({ GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' }).google).toEqual({
      clientId: 'id',
      clientSecret: 'secret',
    })
    expect(loadConfig({}).google).toBeUndefined()
    expect(fault({ GOOGLE_CLIENT_ID: 'id' })).toMatch(/^GOOGLE_CLIENT_SECRET/)
    expect(fault({ GOOGLE_CLIENT_SECRET: 'secret' })).toMatch(/^GOOGLE_CLIENT_ID/)
  })

  test('faces are found by the embedded engine, or by Amazon Rekognition', () => {
    expect(loadConfig({}).faces).toMatchObject({ kind: 'embedded', threshold: undefined })
    const REKOGNITION_ENDPOINT = 'http://127.0.0.1:4000'
    expect(
      loadConfig({ FACES: 'rekognition', FACE_MATCH_THRESHOLD: '90', REKOGNITION_ENDPOINT }).faces,
    ).toMatchObject({ kind: 'rekognition', threshold: 90, endpoint: REKOGNITION_ENDPOINT, tps: 5 })
    expect(fault({ FACES: 'azure' })).toMatch(/^FACES: must be embedded or rekognition/)
    // Albums that move from Rekognition to the other engine are still searched there.
    expect(loadConfig({ REKOGNITION_ENDPOINT }).faces).toMatchObject({
      kind: 'embedded',
      endpoint: REKOGNITION_ENDPOINT,
    })
    expect(fault({ FACES: 'rekognition', REKOGNITION_ENDPOINT: 'localhost' })).toMatch(
      /^REKOGNITION_ENDPOINT/,
    )
  })
})

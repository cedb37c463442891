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
      freeDiskBytes: 1e9,
    })
    expect(loadConfig({ DISK_FREE_MIN_MB: '0', ALBUM_CREATION: 'closed' }).limits).toMatchObject({
      albumCreation: 'closed',
      freeDiskBytes: 0,
    })
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
  })

  const KEY = 'k'.repeat(32)
  const BUCKET = { S3_BUCKET: 'party' }

  test.each<[NodeJS.ProcessEnv, RegExp]>([
    ...[
      ...['https://example.com/party', 'https://example.com//', 'https://example.com/?a=b'],
      ...['https://example.com?', 'https://example.com/#x', 'https://user:pw@example.com'],
      ...['https://user@example.com', 'https://*.example.com', 'https://*'],
      ...['https://a.example.com,b.example.com', 'https://a.example.com,https://b.example.com'],
    ].map((PUBLIC_URL): [NodeJS.ProcessEnv, RegExp] => [
      { PUBLIC_URL },
      /^PUBLIC_URL: must be only scheme, host and port.*$/,
    ]),
    ...[
      ...['photos.example.com', 'not an address', 'a@example.com, b@example.com'],
      ...['a@example.com; b@example.com', 'Guests: a@example.com;', 'Inframe <>', 'a@b@example.com'],
      ...['Guests: a@example.com, b@example.com;', 'a@example..com', '@example.com'],
      ...['a@example.com b@example.com', 'Inframe <a@exam ple.com>'],
    ].map((MAIL_FROM): [NodeJS.ProcessEnv, RegExp] => [{ MAIL_FROM }, /^MAIL_FROM: must be one address.*$/]),
    [{ PORT: 'eighty' }, /^PORT.*"eighty"/],
    [{ ALBUM_CREATION: 'friends' }, /^ALBUM_CREATION.*"friends"/],
    [{ DATABASE_URL: 'postgres://host/db' }, /^SECRET_KEY/],
    [{ ROLE: 'worker' }, /^ROLE.*DATABASE_URL/],
    [{ ROLE: 'worker' }, /^PUBLIC_URL: .*letters/m],
    [{ PHOTO_LIBRARY_URL: 'javascript:alert(1)' }, /^PHOTO_LIBRARY_URL/],
    [{ ANALYTICS_MEASUREMENT_ID: 'UA-1' }, /^ANALYTICS_MEASUREMENT_ID.*"UA-1"/],
    [{ SMTP_URL: 'mail.example.com:25' }, /^SMTP_URL: .* such as smtps:/],
    [{ SMTP_URL: 'smtp://' }, /^SMTP_URL/],
    [{ S3_ENDPOINT: 'https://s3.example.com' }, /^S3_BUCKET/],
    [{ S3_ENCRYPTION: 'AES256' }, /^S3_BUCKET/],
    [{ ...BUCKET, S3_ENDPOINT: 's3.example.com' }, /^S3_ENDPOINT/],
    [{ ...BUCKET, S3_FORCE_PATH_STYLE: 'yes' }, /^S3_FORCE_PATH_STYLE.*"yes"/],
    [{ ...BUCKET, S3_ENCRYPTION: 'rot13' }, /^S3_ENCRYPTION/],
    [{ GOOGLE_CLIENT_ID: 'id' }, /^GOOGLE_CLIENT_SECRET/],
    [{ GOOGLE_CLIENT_SECRET: 'secret' }, /^GOOGLE_CLIENT_ID/],
    [{ FACES: 'azure' }, /^FACES: must be embedded or rekognition/],
    [{ REKOGNITION_ENDPOINT: 'localhost' }, /^REKOGNITION_ENDPOINT/],
    // Faults never repeat a secret.
    [{ SECRET_KEY: 'hunter2' }, /^SECRET_KEY(?!.*hunter2)/],
    [{ DATABASE_URL: 'mysql://user:hunter2@host' }, /^DATABASE_URL(?!.*hunter2)/],
    [{ SMTP_URL: 'http://user:hunter2@host' }, /^SMTP_URL(?!.*hunter2)/],
    [{ ADMIN_TOKEN: 'hunter2' }, /^ADMIN_TOKEN(?!.*hunter2)/],
    [{ GOOGLE_CLIENT_SECRET: 'hunter2' }, /^GOOGLE_CLIENT_ID(?!.*hunter2)/],
  ])('%j is refused: %s', (env, message) => {
    expect(fault(env)).toMatch(message)
  })

  test.each<[NodeJS.ProcessEnv, object]>([
    [
      { DATABASE_URL: 'postgres://host/db', SECRET_KEY: `${KEY}, ${KEY}2` },
      { database: { kind: 'url', url: 'postgres://host/db' }, secretKeys: [KEY, `${KEY}2`] },
    ],
    [{ SMTP_URL: 'smtps://user:p%40ss@example.com' }, { smtpUrl: 'smtps://user:p%40ss@example.com' }],
    // As browsers write it.
    ...[
      ['https://photos.example.com', 'https://photos.example.com'],
      ['https://Photos.Example.com:443/', 'https://photos.example.com'],
      ['https://müller.de', 'https://xn--mller-kva.de'],
      ['http://localhost:3000', 'http://localhost:3000'],
      ['http://[::1]:3000/', 'http://[::1]:3000'],
      ['http://my_server', 'http://my_server'],
    ].map(([PUBLIC_URL, publicUrl]): [NodeJS.ProcessEnv, object] => [{ PUBLIC_URL }, { publicUrl }]),
    ...[
      ...['photos@example.com', 'Inframe <photos@example.com>', 'Weddings, Inc. <photos@example.com>'],
      ...['"Weddings, Inc." <photos@example.com>', 'Fotos <fotos@müller.de>', 'Inframe <inframe@localhost>'],
    ].map((MAIL_FROM): [NodeJS.ProcessEnv, object] => [{ MAIL_FROM }, { mailFrom: MAIL_FROM }]),
    [{}, { storage: { kind: 'disk' }, faces: { kind: 'embedded', threshold: undefined } }],
    [BUCKET, { storage: { kind: 's3', bucket: 'party', forcePathStyle: false } }],
    [
      { ...BUCKET, S3_ENDPOINT: 'https://s3.example.com', S3_FORCE_PATH_STYLE: 'true' },
      { storage: { endpoint: 'https://s3.example.com', forcePathStyle: true, region: 'us-east-1' } },
    ],
    [{ ...BUCKET, S3_ENCRYPTION: 'aws:kms:alias/a' }, { storage: { encryption: 'aws:kms:alias/a' } }],
    [
      { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' },
      { google: { clientId: 'id', clientSecret: 'secret' } },
    ],
    [
      { FACES: 'rekognition', FACE_MATCH_THRESHOLD: '90' },
      { faces: { kind: 'rekognition', threshold: 90, tps: 5 } },
    ],
    // Faces that Rekognition still has are erased there.
    [{ REKOGNITION_ENDPOINT: 'http://127.0.0.1:4000' }, { faces: { endpoint: 'http://127.0.0.1:4000' } }],
    [
      { PHOTO_LIBRARY_URL: 'https://example.com/?a=1', ANALYTICS_MEASUREMENT_ID: 'G-AB12CD34EF' },
      { photoLibraryUrl: 'https://example.com/?a=1', analyticsMeasurementId: 'G-AB12CD34EF' },
    ],
  ])('%j is read', (env, config) => {
    expect(loadConfig(env)).toMatchObject(config)
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
    [
      'none',
      { ROLE: 'worker', DATABASE_URL: 'postgres://host/db', SECRET_KEY: KEY, PUBLIC_URL: 'http://localhost' },
    ],
    ['token', { ADMIN_TOKEN: 'a token of the maintainer' }],
    ['token', { ADMIN_TOKEN: 'a token of the maintainer', PUBLIC_URL: 'https://photos.example.com' }],
  ])('maintainers identify by %s with %j', (kind, env) => {
    expect(loadConfig(env).maintainerAccess.kind).toBe(kind)
  })
})

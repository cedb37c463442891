import { join } from 'node:path'
import { execPath } from 'node:process'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../src/testing/app.ts'
import { createClient, sampleUploads, type TestClient } from '../src/testing/client.ts'
import { databaseUrl } from '../src/testing/database.ts'
import { spawnService } from '../src/testing/process.ts'
import { waitUntil } from '../src/testing/wait.ts'
import { albumCommand } from './album.ts'

const SECRET_KEY = 'a secret key that is long enough for it'

describe('npm run album', () => {
  let service: TestApp
  let env: Record<string, string>
  let owner: TestClient
  let ownerKey: string

  beforeAll(async () => {
    service = await startTestApp({ env: { SECRET_KEY } })
    env = { DATA_DIR: service.dataDir, DATABASE_URL: databaseUrl(service.database.address), SECRET_KEY }
    owner = createClient(service.url)
    ;({ ownerKey } = await owner.createAlbum('Garden Party'))
    await owner.uploadPhotos(ownerKey, await sampleUploads([1, 2]), { totalIntendedPhotos: 2 })
    await waitUntil('the album to be ready', async () => (await progress()).body.isCompleted)
  })
  afterAll(() => service?.close())

  const progress = () => owner.get(`/api/albums/${ownerKey}/progress`)

  /** Runs the command in this process. @returns what it prints */
  async function album(...args: string[]): Promise<string> {
    const printed: string[] = []
    await albumCommand(args, env, (text) => void printed.push(text))
    return printed.join('\n')
  }

  test('lists every album while a service is running', async () => {
    expect(await album('list')).toMatch(
      /^\d{4}-\d\d-\d\d {2}garden-party {2}"Garden Party" {2}2 of 2 photos indexed$/,
    )
  })

  test('changes settings, and nothing when one of them is unknown', async () => {
    const listed = async () => (await owner.get('/api/albums/list')).body.length
    expect(await listed()).toBe(1)
    await album('set', 'garden-party', 'listed=off', 'browsing', 'on')
    expect(await listed()).toBe(0)
    const settings = async () => (await owner.get(`/api/albums/${ownerKey}/settings`)).body
    expect(await settings()).toMatchObject({ browsing: 'on', consentTick: 'off' })
    await expect(album('set', 'garden-party', 'browsing=off', 'listed', 'maybe')).rejects.toThrow(
      '"listed maybe" is not a setting.',
    )
    expect(await settings()).toMatchObject({ browsing: 'on', consentTick: 'off' })
    await album(
      'set',
      'garden-party',
      'opensAt=2026-06-20T20:00:00+02:00',
      'closesAt',
      '2030-01-01T00:00:00Z',
    )
    expect(await settings()).toMatchObject({
      opensAt: '2026-06-20T18:00:00.000Z',
      closesAt: '2030-01-01T00:00:00.000Z',
    })
    await expect(album('set', 'garden-party', 'opensAt', 'tomorrow')).rejects.toThrow('is not a setting.')
    expect(await album('set', 'garden-party', 'closesAt', 'none')).toContain('closesAt is none.')
    expect(await album('set', 'garden-party', 'facesEndDays', '30')).toContain('facesEndDays is 30.')
    await expect(album('set', 'garden-party', 'facesEndDays', 'none')).rejects.toThrow('is not a setting.')
    await expect(album('set', 'garden-party', 'listed=on', 'browsing')).rejects.toThrow('is not a setting.')
    await album('set', 'garden-party', 'listed=on', 'opensAt=none')
    expect(await listed()).toBe(1)
  })

  test('lists opt-outs without saying whose they are, and undoes one, or all of a day', async () => {
    expect(await album('opt-outs', 'garden-party')).toBe('Nobody has opted out of "Garden Party".')
    const optOut = async (state: 'active' | 'erased', day: string) => {
      const { rows } = await sql<{ id: string }>`
        insert into opt_outs (album_id, state, faces, erase_at, created_at)
        select id, ${state}, 2, '2030-01-04T12:00:00Z', ${`${day}T12:00:00Z`}::timestamptz
        from albums where slug = 'garden-party' returning id`.execute(service.database.db)
      return rows[0]!.id.slice(0, 8)
    }
    const one = await optOut('active', '2030-01-01')
    await optOut('active', '2030-01-02')
    await optOut('active', '2030-01-02')
    await optOut('erased', '2030-01-02')
    const lines = (await album('opt-outs', 'garden-party')).split('\n')
    expect(lines).toHaveLength(4)
    expect(lines).toContain(
      `${one}  2030-01-01T12:00:00.000Z  2 faces  active, erased on 2030-01-04T12:00:00.000Z at the earliest`,
    )
    expect(await album('opt-outs', 'garden-party', 'undo', one)).toContain('Opt-outs undone: 1.')
    const day = await album('opt-outs', 'garden-party', 'undo-day', '2030-01-02')
    expect(day).toContain('Opt-outs undone: 2. Searches find their faces again: 4.')
    expect(day).toContain('Left as they were, because they are erased or were undone before: 1.')
    const log = await album('audit', 'garden-party')
    expect(log.match(/opt-out undone .* on the command line/g)).toHaveLength(3)
    const link = 'Here the owner answers and revokes opt-outs: '
    expect(await album('show', 'garden-party')).not.toContain(link)
    const another = await optOut('active', '2030-01-03')
    expect(await album('show', 'garden-party')).toContain(link)
    await album('opt-outs', 'garden-party', 'undo', another)
    for (const [rest, fault] of [
      [['undo', 'nothing'], 'names no opt-out of this album'],
      [['undo-day', 'today'], 'The day must look like'],
      [['forget'], 'After the name comes nothing'],
    ] as const)
      await expect(album('opt-outs', 'garden-party', ...rest)).rejects.toThrow(fault)
  })

  test('lets the running worker index every photo again', async () => {
    expect(await album('reindex', 'garden-party')).toMatch(
      /^A worker will index 2 photos of "Garden Party" again \(face engine: embedded\)\./,
    )
    await waitUntil('the jobs of both photos', async () => {
      const { rows } = await sql<{ state: string }>`
        select state from pgboss.job where name = 'index-photos' and data ? 'again'`.execute(
        service.database.db,
      )
      return rows.length === 2 && rows.every(({ state }) => state === 'completed')
    })
    const output = await album('show', 'garden-party')
    expect(output).toMatch(/^Searchable {3}2$/m)
    expect(output).toMatch(/^Faces {8}6$/m)
  })

  test('makes no new owner key before it is said where the letters go', async () => {
    const both = ['--email', 'new@example.com', '--same-address']
    for (const words of [[], both])
      await expect(album('new-key', 'garden-party', ...words)).rejects.toThrow(
        /^Letters .* go to owner@example.com. Add --email ADDRESS .*, or --same-address/,
      )
    await expect(album('new-key', 'garden-party', '--email', 'new@')).rejects.toThrow(
      '--email: Please enter a valid email address.',
    )
    expect((await progress()).status).toBe(200)
  })

  test('makes a new owner key, and says what to do with it', async () => {
    const output = await album('new-key', 'garden-party', '--email', 'new@example.com')
    expect(output).toContain('Letters go to\nnew@example.com from now on.')
    expect(await album('show', 'garden-party')).toMatch(/^Owner {8}new@example.com$/m)
    const fresh = /is (\S+)$/m.exec(output)![1]!
    expect(output).toContain(`http://localhost:3000/manage/garden-party#owner-key=${fresh}\n`)
    expect((await progress()).status).toBe(404)
    expect((await owner.get('/api/albums/by-name/garden-party')).status).toBe(401)
    ownerKey = fresh
    expect((await progress()).status).toBe(200)
  })

  test('renames an album, and deletes photos by their names or ids, all or none', async () => {
    expect(await album('rename', 'garden-party', 'Rose', 'Party')).toContain('"Rose Party"')
    expect(await album('show', 'garden-party')).toMatch(/^Name {9}Rose Party$/m)
    await expect(album('rename', 'garden-party', ' ')).rejects.toThrow('Please enter an album name.')
    await expect(album('delete-photos', 'garden-party', 'sample1.jpg', 'x.jpg', '--yes')).rejects.toThrow(
      '"x.jpg" is no photo of this album. Nothing was deleted.',
    )
    const output = await album('delete-photos', 'garden-party', 'sample1.jpg', '--yes')
    expect(output).toContain('Deleted: 1 photo of "Rose Party".')
    expect(await album('show', 'garden-party')).toMatch(/^Photos {7}1$/m)
  })

  test('erases nothing before the name is typed, and with --yes everything', async () => {
    // As a person runs it.
    const command: [string, ...string[]] = [execPath, join(import.meta.dirname, 'album.ts')]
    const { ended, output } = spawnService(env, [...command, 'erase', 'garden-party'])
    expect(await ended).toBe(1)
    expect(output()).toContain('Nothing was erased.')
    expect((await progress()).status).toBe(200)

    expect(await album('erase', 'garden-party', '--yes')).toContain(
      'After a check, 0 rows, 0 files and 0 faces remain.',
    )
    expect((await progress()).status).toBe(404)
  })

  test('prints an invitation code, and says when codes have no effect', async () => {
    const output = await album('invite', '--albums', '3')
    expect(output).toMatch(
      /^Invitation code: \w{4}-\w{4}-\w{4}\nIt creates 3 albums at .*\/get-started until \d{4}-/,
    )
    expect(output).toContain('ALBUM_CREATION is open here')
    await expect(album('invite', '--albums', 'many')).rejects.toThrow('--albums must be a whole number')
  })
})

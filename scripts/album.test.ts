import { join } from 'node:path'
import { execPath } from 'node:process'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setChosenEngine } from '../src/albums/move-queries.ts'
import { createDb, type Db } from '../src/database/client.ts'
import { findEmbeddedPostgres } from '../src/database/embedded.ts'
import { createClient, sampleUploads } from '../src/testing/client.ts'
import { createDataFolder, type DataFolder } from '../src/testing/data-folder.ts'
import { type ServiceProcess, spawnService, startService } from '../src/testing/process.ts'
import { waitUntil } from '../src/testing/wait.ts'
import { albumCommand } from './album-command.ts'

describe('npm run album', () => {
  let folder: DataFolder
  let service: ServiceProcess
  const owner = () => client
  let client: ReturnType<typeof createClient>
  let ownerKey: string

  beforeAll(async () => {
    folder = await createDataFolder()
    service = await startService({ DATA_DIR: folder.path, PORT: '0', FACE_WORKERS: '1' })
    client = createClient(service.url)
    ;({ ownerKey } = await client.createAlbum('Garden Party'))
    const notes = { name: 'notes.jpg', bytes: Buffer.from('no photo') }
    const files = [notes, ...(await sampleUploads([1, 2]))]
    await client.uploadPhotos(ownerKey, files, { totalIntendedPhotos: 2 })
    await waitUntil('the album to be ready', async () => {
      const { body } = await client.get(`/api/albums/${ownerKey}/progress`)
      return body.isCompleted
    })
  }, 60_000)
  afterAll(async () => {
    service?.child.kill('SIGTERM')
    await service?.ended
    await folder?.remove()
  })

  /** Runs the command in this process. A process of its own takes half a second more of processor time.
   *  @returns what it prints */
  async function album(...args: string[]): Promise<string> {
    const printed: string[] = []
    await albumCommand(args, { DATA_DIR: folder.path }, (text) => void printed.push(text))
    return printed.join('\n')
  }

  /** Runs the command as a person does. */
  async function albumProcess(...args: string[]): Promise<{ code: number | string; output: string }> {
    const command: [string, ...string[]] = [execPath, join(import.meta.dirname, 'album.ts'), ...args]
    const { ended, output } = spawnService({ DATA_DIR: folder.path }, command)
    const code = await ended
    return { code, output: output() }
  }

  test('lists every album while a service is running', async () => {
    const { code, output } = await albumProcess('list')
    expect(output).toMatch(/^\d{4}-\d\d-\d\d {2}garden-party {2}"Garden Party" {2}2 of 2 photos indexed$/)
    expect(code).toBe(0)
  })

  test('shows what is in an album', async () => {
    const output = await album('show', 'garden-party')
    const { body } = await owner().get('/api/albums/by-name/garden-party')
    expect(output).toContain(`Password     ${body.album.albumPassword}`)
    expect(output).toMatch(/^Letters {6}at most three a day, because the address is not confirmed yet$/m)
    expect(output).toMatch(/^Photos {7}2$/m)
    expect(output).toMatch(/^Faces {8}6$/m)
    expect(output).toMatch(/^Sure {9}from similarity \d+ \(distance 0\.\d{3}\)$/m)
    expect(output).toMatch(/^Possible {5}from similarity \d+ \(distance 0\.\d{3}\)$/m)
    expect(output).toMatch(
      /^Limits from {2}6 faces, and \d pairs of strangers in its photos \(median 0\.\d\d\)$/m,
    )
    expect(output).toMatch(/^Files that a selfie cannot find:\n {2}notes\.jpg: Only JPEG and PNG/m)
  })

  describe('with its database open', () => {
    let db: Db
    beforeAll(async () => {
      db = createDb((await findEmbeddedPostgres(folder.path))!, () => {})
    })
    afterAll(() => db?.destroy())

    test('lists opt-outs without saying whose they are, and undoes one, or all of a day', async () => {
      expect(await album('opt-outs', 'garden-party')).toBe('Nobody has opted out of "Garden Party".')
      const optOut = async (state: 'hidden' | 'waiting' | 'permanent', day: string) => {
        const { rows } = await sql<{ id: string }>`
          insert into opt_outs (album_id, state, faces, permanent_at, created_at)
          select id, ${state}, 2, '2030-01-04T12:00:00Z', ${`${day}T12:00:00Z`}::timestamptz
          from albums where slug = 'garden-party' returning id`.execute(db)
        return rows[0]!.id.slice(0, 8)
      }
      const one = await optOut('hidden', '2030-01-01')
      await optOut('hidden', '2030-01-02')
      await optOut('waiting', '2030-01-02')
      await optOut('permanent', '2030-01-02')
      const lines = (await album('opt-outs', 'garden-party')).split('\n')
      expect(lines).toHaveLength(4)
      expect(lines).toContain(
        `${one}  2030-01-01T12:00:00.000Z     2 faces  hidden, permanent on 2030-01-04T12:00:00.000Z at the earliest`,
      )
      expect(await album('opt-outs', 'garden-party', 'undo', one)).toContain('Opt-outs undone: 1.')
      const day = await album('opt-outs', 'garden-party', 'undo-day', '2030-01-02')
      expect(day).toContain('Opt-outs undone: 2. Searches find their faces again: 4.')
      expect(day).toContain('Left as they were, because they are permanent or were undone before: 1.')
      const log = await album('audit', 'garden-party')
      expect(log.match(/opt-out revoked .* on the command line/g)).toHaveLength(2)
      expect(log.match(/opt-out refused .* on the command line/g)).toHaveLength(1)
      const link = 'Here the owner answers and revokes opt-outs: '
      expect(await album('show', 'garden-party')).not.toContain(link)
      const waiting = await optOut('waiting', '2030-01-03')
      expect(await album('show', 'garden-party')).toContain(link)
      await album('opt-outs', 'garden-party', 'undo', waiting)
      for (const [rest, fault] of [
        [['undo', 'nothing'], 'names no opt-out of this album'],
        [['undo-day', 'today'], 'The day must look like'],
        [['forget'], 'After the name comes nothing'],
      ] as const)
        await expect(album('opt-outs', 'garden-party', ...rest)).rejects.toThrow(fault)
    })

    test('undoes opt-outs of a day also when the list has only newer ones', async () => {
      const { rows } = await sql<{ id: string }>`
        insert into opt_outs (album_id, state, faces, permanent_at, created_at)
        select id, 'hidden', 1, '2030-02-04', timestamptz '2030-02-01T23:59:59Z' + number * interval '1 second'
        from albums cross join generate_series(0, 501) number where slug = 'garden-party' returning id`.execute(
        db,
      )
      const [oldest, next] = rows.map(({ id }) => id)
      expect(await album('opt-outs', 'garden-party')).not.toContain(oldest!.slice(0, 8))
      expect(await album('opt-outs', 'garden-party', 'undo-day', '2030-02-01')).toContain('undone: 1.')
      expect(await album('opt-outs', 'garden-party', 'undo', next!)).toContain('undone: 1.')
      await sql`delete from opt_outs where created_at > '2030-02-01'`.execute(db)
    })

    test('shows how far an album has moved to another face engine', async () => {
      await setChosenEngine(db, 'rekognition')
      expect(await album('show', 'garden-party')).toMatch(/^Moving {7}to rekognition: 0 of 2 photos$/m)
      await setChosenEngine(db, 'embedded')
      expect(await album('show', 'garden-party')).not.toContain('Moving')
    })

    test('lets the running worker index every photo again', async () => {
      expect(await album('reindex', 'garden-party')).toMatch(
        /^A worker will index 2 photos of "Garden Party" again \(face engine: embedded\)\./,
      )
      await waitUntil('the jobs of both photos', async () => {
        const { rows } = await sql<{ state: string }>`
          select state from pgboss.job where name = 'reindex-photos-embedded'`.execute(db)
        return rows.length === 2 && rows.every(({ state }) => state === 'completed')
      })
      const output = await album('show', 'garden-party')
      expect(output).not.toContain('Moving')
      expect(output).toMatch(/^Searchable {3}2$/m)
      expect(output).toMatch(/^Faces {8}6$/m)
    })
  })

  test('takes an album off the public list, and puts it on the list again', async () => {
    const listed = async () => (await owner().get('/api/albums/list')).body.length
    expect(await listed()).toBe(1)
    expect(await album('set', 'garden-party', 'listed=no')).toContain('is off the public list')
    expect(await listed()).toBe(0)
    expect(await album('show', 'garden-party')).toMatch(/^Listed {7}no$/m)
    await album('set', 'garden-party', 'listed=yes')
    expect(await listed()).toBe(1)
    expect(await album('show', 'garden-party')).toMatch(/^Listed {7}yes$/m)
  })

  test('lets guests browse, and asks them for a tick', async () => {
    const output = await album('set', 'garden-party', 'browsing', 'on', 'consentTick=on')
    expect(output).toContain('Guests may see all its photos without a selfie.')
    expect(output).toContain('Guests tick that they agree before each search.')
    expect((await owner().get(`/api/albums/${ownerKey}/settings`)).body).toEqual({
      browsing: 'on',
      consentTick: 'on',
    })
    const shown = await album('show', 'garden-party')
    expect(shown).toMatch(/^Browsing {5}on$/m)
    expect(shown).toMatch(/^Consent tick on$/m)
    expect(await album('audit', 'garden-party')).toContain('  browsing turned on  ')
  })

  test('explains an unknown setting, and a setting that is missing', async () => {
    for (const words of [['listed=maybe'], ['listed', 'maybe'], ['browsing=on', 'listed', 'maybe']])
      await expect(album('set', 'garden-party', ...words)).rejects.toThrow(
        /^"listed maybe" is not a setting. There are: listed yes\|no, browsing on\|off, consentTick on\|off.$/,
      )
    await expect(album('set', 'garden-party')).rejects.toThrow('Usage:')
  })

  test('changes the password', async () => {
    const output = await album('password', 'garden-party')
    const fresh = /is (\S+)$/m.exec(output)?.[1]
    const guest = createClient(service.url)
    const { status } = await guest.post('/api/albums/garden-party/authenticate', { password: fresh })
    expect(status).toBe(200)
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
    expect((await owner().get(`/api/albums/${ownerKey}/progress`)).status).toBe(200)
  })

  test('makes a new owner key, and says what to do with it', async () => {
    const output = await album('new-key', 'garden-party', '--email', 'new@example.com')
    expect(output).toContain('Letters go to\nnew@example.com from now on.')
    expect(await album('show', 'garden-party')).toMatch(/^Owner {8}new@example.com$/m)
    const fresh = /is (\S+)$/m.exec(output)![1]!
    expect(output).toContain(`http://localhost:3000/album/garden-party#owner-key=${fresh}\n`)
    expect((await owner().get(`/api/albums/${ownerKey}/progress`)).status).toBe(404)
    expect((await owner().get('/api/albums/by-name/garden-party')).status).toBe(401)
    ownerKey = fresh
    expect((await owner().get(`/api/albums/${ownerKey}/progress`)).status).toBe(200)
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
    const refused = await albumProcess('erase', 'garden-party')
    expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('Nothing was erased.') })
    expect((await owner().get(`/api/albums/${ownerKey}/progress`)).status).toBe(200)

    expect(await album('erase', 'garden-party', '--yes')).toContain(
      'After a check, 0 rows, 0 files and 0 faces remain.',
    )
    expect((await owner().get(`/api/albums/${ownerKey}/progress`)).status).toBe(404)
  })

  test('says who erased an album, also after the erasure', async () => {
    const output = await album('audit', 'garden-party')
    expect(output).toMatch(/ {2}album created {2}erased album \S+ {2}by owner, address [\da-f]{8}$/m)
    expect(output).toMatch(/ {2}password changed {2}erased album \S+ {2}on the command line$/m)
    expect(output).toMatch(/ {2}owner key changed {2}erased album \S+ {2}on the command line$/m)
    expect(output).toMatch(
      / {2}album erased {2}erased album \S+ {2}on the command line {2}nothing remains since \d{4}-\S+Z$/,
    )
    expect(await album('audit')).toBe(output)
    expect(await album('audit', 'nobody-knows')).toContain(
      'The audit log has nothing about "nobody-knows" from the last 90 days.',
    )
  })

  test('prints an invitation code, and says when codes have no effect', async () => {
    const output = await album('invite', '--albums', '3')
    expect(output).toMatch(
      /^Invitation code: \w{4}-\w{4}-\w{4}\nIt creates 3 albums at .*\/get-started until \d{4}-/,
    )
    expect(output).toContain('ALBUM_CREATION is open here')
    await expect(album('invite', '--albums', 'many')).rejects.toThrow('--albums must be a whole number')
  })

  test('explains an unknown name and an unknown command', async () => {
    const [unknownName, unknownCommand] = await Promise.all([
      albumProcess('show', 'nobody-knows'),
      albumProcess('dance'),
    ])
    expect(unknownName).toEqual({
      code: 1,
      output: 'There is no album "nobody-knows". To see all albums, run: npm run album -- list\n',
    })
    expect(unknownCommand).toMatchObject({ code: 1, output: expect.stringContaining('Usage:') })
  })
})

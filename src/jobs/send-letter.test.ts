import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { decryptPassword } from '../albums/password.ts'
import { uploadBatch } from '../albums/upload.ts'
import type { Album } from '../database/schema.ts'
import { AppError } from '../errors.ts'
import { createLog } from '../log.ts'
import type { Letter, Mailer } from '../mail/mailer.ts'
import { createTestDomain, type TestDomain } from '../testing/domain.ts'
import { samplePath } from '../testing/sample-photos.ts'
import type { JobDeps } from './define-handler.ts'
import { sendLetter } from './send-letter.ts'

let domain: TestDomain
let album: Album
let roundId: string

beforeAll(async () => {
  domain = await createTestDomain()
})
afterAll(() => domain?.close())
beforeEach(async () => {
  album = await domain.newAlbum('Summer Party')
  const files = [await domain.stage(samplePath(1)), await domain.stage(samplePath(2))]
  const notes = await domain.stage(Buffer.from('no photo'), 'notes.jpg')
  await uploadBatch(domain, album.id, { totalIntendedPhotos: 2 }, [notes, ...files])
  const photos = await domain.db
    .selectFrom('photos')
    .selectAll()
    .where('album_id', '=', album.id)
    .orderBy('filename')
    .execute()
  const box = { left: 0, top: 0, width: 1, height: 1 }
  const face = { faceId: crypto.randomUUID(), box, confidence: 99 }
  await domain.settle(photos[0]!, { faces: [face], unindexed: [] })
  await domain.settle(photos[1]!, { faces: [], unindexed: [] })
  const jobs = (await domain.waiting('send-letter')) as { roundId: string }[]
  const rounds = await domain.db
    .selectFrom('upload_rounds')
    .select('id')
    .where('album_id', '=', album.id)
    .execute()
  roundId = jobs.find((job) => rounds.some((round) => round.id === job.roundId))!.roundId
})

function run(mailer: Mailer, lines: string[] = []): Promise<void> {
  const log = createLog('warn', { write: (line) => void lines.push(line) })
  const deps = {
    ...domain,
    mailer,
    log,
    siteUrl: 'https://photos.example.com',
  } as Partial<JobDeps> as JobDeps
  return sendLetter.run(deps, { roundId }, { attempt: 1 })
}

function mailerThat(send: (letter: Letter) => Promise<void>): Mailer {
  return { send, check: async () => {}, close: async () => {} }
}

describe('the letter of a completed round', () => {
  test('goes to the owner with link, password and all counts', async () => {
    const sent: Letter[] = []
    await run(mailerThat(async (letter) => void sent.push(letter)))
    expect(sent).toHaveLength(1)
    const [letter] = sent
    expect(letter).toMatchObject({ id: roundId, to: 'owner@example.com' })
    expect(letter!.subject).toContain('Summer Party')
    expect(letter!.text).toContain(`https://photos.example.com/album/${album.slug}\n`)
    expect(letter!.text).toContain(decryptPassword(domain.keyring, album))
    expect(letter!.text).toMatch(/^Photos: 2$/m)
    expect(letter!.text).toMatch(/^Faces found: 1$/m)
    expect(letter!.text).toMatch(/^Photos without a face: 1$/m)
    expect(letter!.text).toMatch(/notes\.jpg.*Only JPEG and PNG/)
  })

  test('is sent once, however often its job runs', async () => {
    let sent = 0
    const mailer = mailerThat(async () => void sent++)
    await run(mailer)
    await run(mailer)
    expect(sent).toBe(1)
  })

  test('is tried again when the mailer is unavailable, and counts as sent only then', async () => {
    const away = new AppError('SERVICE_UNAVAILABLE', 'The mail server does not answer')
    await expect(run(mailerThat(() => Promise.reject(away)))).rejects.toBe(away)
    let sent = 0
    await run(mailerThat(async () => void sent++))
    expect(sent).toBe(1)
  })

  test('is given up, with a warning that names nobody, when its recipient is refused for good', async () => {
    const refused = new AppError('UNPROCESSABLE_CONTENT', 'The mail server refuses the recipient permanently')
    const lines: string[] = []
    await run(
      mailerThat(() => Promise.reject(refused)),
      lines,
    )
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0]!)).toMatchObject({
      roundId,
      albumId: album.id,
      err: { message: refused.message },
    })
    expect(lines[0]).not.toContain('@')
    await run(mailerThat(() => Promise.reject(new Error('no letter may be sent again'))))
  })

  test('of an album that has been erased is not sent', async () => {
    await domain.db.deleteFrom('albums').where('id', '=', album.id).execute()
    await run(mailerThat(() => Promise.reject(new Error('no letter may be sent'))))
  })
})

import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { findAlbum } from '../albums/queries.ts'
import { renewOwnerKey } from '../albums/renew-owner-key.ts'
import { COMMAND_LINE } from '../audit/audit-log.ts'
import type { OptOutState } from '../database/schema.ts'
import { AppError } from '../errors.ts'
import type { Letter } from '../mail/mailer.ts'
import { album, domain, newAlbumForEachTest } from '../testing/domain.ts'
import { emptyMailbox, mailbox, passHours, removeEnded, sendLetters } from '../testing/mailbox.ts'
import { ownerAddressHashes } from './addresses.ts'
import { saveRefusedAddress } from './queries.ts'
import { requestLetter } from './request.ts'

newAlbumForEachTest()
beforeEach(() => emptyMailbox(domain.db))

const present = async () => (await findAlbum(domain.db, { id: album.id }))!
const renew = async (email?: string) => await renewOwnerKey(domain, await present(), COMMAND_LINE, { email })

/** A guest opts out. */
async function optOut(faces: number, photos = 0, state: OptOutState = 'active'): Promise<void> {
  const photos_to_hide = photos > 0 ? Array.from({ length: photos }, () => randomUUID()) : null
  await domain.db
    .insertInto('opt_outs')
    .values({ album_id: album.id, state, faces, photos_to_hide })
    .execute()
  await domain.db.transaction().execute((trx) => requestLetter(trx, domain, { kind: 'opt-outs', album }))
}
const confirm = () =>
  domain.db
    .updateTable('albums')
    .set({ address_confirmed_at: sql<Date>`now()` })
    .where('id', '=', album.id)
    .execute()

test('one letter tells the owner of all opt-outs in numbers, and of requests to hide photos, with a link to answer', async () => {
  await confirm()
  await optOut(12)
  await optOut(3, 4)
  await sendLetters(domain)
  expect(mailbox.sent).toHaveLength(1)
  const [{ text, html, to, subject }] = mailbox.sent as [Letter]
  expect([to, subject]).toEqual(['owner@example.com', 'Guests have opted out of your photo album'])
  expect(text).toContain('2 guests do not want to be found any more. 15 faces are hidden')
  expect(text).toContain('A guest asks you to hide 4 photos.')
  // What gives the owner's right stands nowhere as text.
  expect(text).toMatch(
    /\nSee the numbers, revoke, or answer:\nhttps:\/\/photos\.example\.com\/manage\/[\w-]+\/opt-outs\n/,
  )
  expect(html.match(/opt-outs#owner-key=/g)).toHaveLength(1)
  expect(text).not.toContain('This was not me')
})

test('the next letter comes an hour later, and eight hours later while the address is not confirmed', async () => {
  await optOut(1)
  await sendLetters(domain)
  expect(mailbox.sent[0]!.text).toContain('This was not me:\nhttps://photos.example.com/stop-letters#')
  await optOut(2)
  for (const hours of [0, 7]) {
    await passHours(domain.db, hours)
    await sendLetters(domain)
    expect(mailbox.sent).toHaveLength(1)
  }
  await passHours(domain.db, 1)
  await sendLetters(domain)
  expect(mailbox.sent[1]!.text).toContain('A guest does not want to be found any more. 2 faces are hidden')
  await confirm()
  await optOut(3)
  await sendLetters(domain)
  expect(mailbox.sent).toHaveLength(2)
  await passHours(domain.db, 1)
  await sendLetters(domain)
  expect(mailbox.sent[2]!.text).toContain('3 faces are hidden')
})

test('an opt-out while a letter is being sent is in the next one', async () => {
  await confirm()
  await optOut(1)
  mailbox.send = async (letter) => {
    mailbox.sent.push(letter)
    if (mailbox.sent.length === 1) await optOut(5)
  }
  await sendLetters(domain)
  await passHours(domain.db, 2)
  await sendLetters(domain)
  expect(mailbox.sent).toMatchObject([{}, { text: expect.stringContaining('5 faces are hidden') }])
})

test('a letter that may not have arrived is sent again under the same id, without later ones', async () => {
  await confirm()
  await optOut(1)
  const ids: string[] = []
  mailbox.send = async ({ id }) => {
    ids.push(id)
    throw new AppError('SERVICE_UNAVAILABLE', 'The mail server does not answer')
  }
  await expect(sendLetters(domain)).rejects.toThrow('does not answer')
  await optOut(5)
  mailbox.send = async (letter) => void mailbox.sent.push(letter)
  await sendLetters(domain)
  expect(mailbox.sent).toMatchObject([{ id: ids[0], text: expect.stringContaining('1 face is hidden') }])
})

test.each([undefined, 'heir@example.com'])(
  'a new owner key ends the links of the last letter, so another one tells of what is open: %s',
  async (email) => {
    await optOut(1)
    await optOut(2, 3, 'erased')
    await optOut(4, 0, 'erased')
    await optOut(5, 0, 'undone')
    // The key changes while the first letter is being sent, and is not in the outbox yet.
    const working = mailbox.send
    mailbox.send = async (letter) => {
      mailbox.send = working
      await renew(email)
      await removeEnded(domain)
      await working(letter)
    }
    await sendLetters(domain)
    expect([...mailbox.kept]).toEqual([])
    await sendLetters(domain)
    expect([...mailbox.kept]).toEqual([mailbox.sent[1]!.id])
    await renew(email)
    await removeEnded(domain)
    expect([...mailbox.kept]).toEqual([])
    await sendLetters(domain)
    expect(mailbox.sent).toMatchObject([
      {},
      { to: email ?? 'owner@example.com', text: expect.stringContaining('3 faces are hidden') },
      { text: expect.stringContaining('3 faces are hidden') },
    ])
  },
)

test('no letter is sent when its reader has ended the letters, and the opt-outs do not wait for it', async () => {
  await optOut(1)
  await saveRefusedAddress(domain.db, ownerAddressHashes(domain.keyring, album.id, album.email)[0], album.id)
  await sendLetters(domain)
  expect(mailbox.sent).toEqual([])
  const [{ letter_id }] = (await domain.db
    .selectFrom('opt_outs')
    .select('letter_id')
    .where('album_id', '=', album.id)
    .execute()) as [{ letter_id: string }]
  expect(letter_id).not.toBeNull()
})

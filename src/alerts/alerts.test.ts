import { describe, expect, test } from 'vitest'
import { eraseAlbum } from '../albums/erase.ts'
import { COMMAND_LINE } from '../audit/audit-log.ts'
import type { Opening } from '../contract/albums/opening.ts'
import { AppError } from '../errors.ts'
import { createKeyring } from '../keyring.ts'
import type { Letter } from '../mail/mailer.ts'
import { putSettings } from '../testing/album-rows.ts'
import * as guests from '../testing/alert-guests.ts'
import { addPhotos, alerts, answer, ask, confirm, deps, engine } from '../testing/alert-guests.ts'
import { album, domain } from '../testing/domain.ts'
import { indexedFace } from '../testing/engine-answers.ts'
import { insertStoredPhotos } from '../testing/indexed-photos.ts'
import { mailbox, passHours, removeEnded, sendLetters } from '../testing/mailbox.ts'
import { endAlert } from './alert-answers.ts'
import { lookForNews } from './look-for-news.ts'
import { countConfirmedAlerts, dueAlerts } from './queries.ts'

guests.newGuestsForEachTest()

describe('a guest who has confirmed', () => {
  test('gets no letter while the album is not open, and gets it when it opens', async () => {
    await guests.newGuest()
    await addPhotos(3)
    const setTimes = (times: Partial<Opening>) => putSettings(domain.db, times)
    await setTimes({ opensAt: new Date(Date.now() + 3_600_000).toISOString() })
    await guests.passMinute()
    expect([await dueAlerts(domain.db), engine.searches]).toEqual([[], 0])
    await setTimes({ opensAt: null })
    // It is closed after the letter was requested.
    for (const alertId of await dueAlerts(domain.db)) await lookForNews(deps(), alertId)
    await setTimes({ closesAt: new Date(Date.now() - 1).toISOString() })
    await sendLetters(deps())
    expect(mailbox.sent).toEqual([])
    await setTimes({ closesAt: null })
    await sendLetters(deps())
    expect(mailbox.sent).toEqual([])
    await passHours(domain.db, 1)
    await sendLetters(deps())
    expect(mailbox.sent.map(({ subject }) => subject)).toEqual(['3 new photos of you in Party'])
  })

  test('gets one letter with the number of new photos, when the upload is complete', async () => {
    await addPhotos(2)
    await guests.newGuest()
    await addPhotos(3)
    await addPhotos(1, 'others')
    const [waiting] = await insertStoredPhotos(domain.db, album.id, 1)
    await guests.passMinute()
    expect(mailbox.sent).toEqual([])
    await domain.settle(waiting!, { faces: [], unindexed: [] })
    const open = await domain.db
      .insertInto('upload_rounds')
      .values({ album_id: album.id, total: null })
      .returning('id')
      .executeTakeFirstOrThrow()
    await guests.passMinute()
    expect(mailbox.sent).toEqual([])
    await domain.db.deleteFrom('upload_rounds').where('id', '=', open.id).execute()
    await guests.passMinute()
    await guests.passMinute()
    expect(mailbox.sent).toHaveLength(1)
    const [{ to, subject, text, stopUrl }] = mailbox.sent as [Letter]
    expect([to, subject]).toEqual(['guest@example.com', '3 new photos of you in Party'])
    expect(text).toContain(`See them:\nhttps://photos.example.com/album/${album.slug}\n`)
    expect(text).toMatch(/\nhttps:\/\/photos\.example\.com\/photo-letters#end=[\w-]+\n/)
    expect(stopUrl).toMatch(/\/photo-letters\?token=[\w-]+$/)
  })

  test('gets the next one a day later, and none without new photos', async () => {
    await guests.newGuest()
    await addPhotos(1)
    await guests.passMinute()
    await addPhotos(2)
    await guests.passMinute()
    expect(mailbox.sent.map(({ subject }) => subject)).toEqual(['1 new photo of you in Party'])
    await guests.pass(25)
    await addPhotos(1, 'others')
    await guests.passMinute()
    expect(mailbox.sent[1]!.subject).toBe('2 new photos of you in Party')
    await guests.pass(25)
    engine.searches = 0
    await guests.passMinute()
    expect(engine.searches).toBe(0)
    await addPhotos(5, 'others')
    await guests.passMinute()
    await guests.passMinute()
    expect(engine.searches).toBe(1)
    expect(mailbox.sent).toHaveLength(2)
  })

  test('gets a letter about the photos that were indexed after the search that gave the token', async () => {
    const searchedAt = Date.now()
    await addPhotos(2)
    await guests.newGuest(undefined, guests.searchTokenOf(searchedAt))
    await guests.passMinute()
    expect(mailbox.sent[0]!.subject).toBe('2 new photos of you in Party')
  })

  test('gets no letter about photos that are hidden, or were indexed again', async () => {
    await addPhotos(2)
    await guests.newGuest()
    const [first] = engine.mine
    const photo = await domain.db.selectFrom('photos').selectAll().where('id', '=', first!).executeTakeFirst()
    await domain.settle(photo!, { faces: [indexedFace()], unindexed: [] })
    await addPhotos(2)
    await domain.db.updateTable('photos').set({ state: 'hidden' }).where('id', '=', engine.mine[2]!).execute()
    await guests.passMinute()
    expect(mailbox.sent[0]!.subject).toBe('1 new photo of you in Party')
  })

  test('gets no more after 30 days', async () => {
    await guests.newGuest()
    await guests.pass(30 * 24 + 1)
    await addPhotos(1)
    await guests.passMinute()
    expect(mailbox.sent).toEqual([])
    expect(await alerts()).toEqual([])
  })

  test('asks again, and the former alert goes on until the new one is confirmed', async () => {
    const former = await guests.newGuest()
    const again = await ask('GUEST@example.com')
    expect(await alerts()).toHaveLength(2)
    await confirm(mailbox.sent.at(-1)!)
    expect(await alerts()).toHaveLength(1)
    expect(await endAlert(deps(), answer(former.endToken))).toEqual({ hadEnded: true })
    expect(await countConfirmedAlerts(domain.db, album.id)).toBe(1)
    expect(await endAlert(deps(), answer(again.endToken))).toEqual({ hadEnded: false })
  })

  test('confirms with any of the letters that ask, also when somebody else has caused a newer one', async () => {
    await ask()
    await ask('Guest@example.com')
    const [first, second] = mailbox.sent as [Letter, Letter]
    await confirm(first)
    await confirm(first)
    expect(await countConfirmedAlerts(domain.db, album.id)).toBe(1)
    expect(await alerts()).toHaveLength(2)
    await confirm(second)
    expect(await alerts()).toHaveLength(1)
    await expect(confirm(first)).rejects.toThrow('These letters have ended')
  })

  test('ends the letters with the link of any of them, also of one from before asking again', async () => {
    await guests.newGuest()
    await addPhotos(1)
    await guests.passMinute()
    const token = guests.tokenIn(mailbox.sent[0]!, 'end')
    await guests.newGuest()
    expect(await endAlert(deps(), answer(token))).toEqual({ hadEnded: false })
    expect(await alerts()).toEqual([])
    expect(await endAlert(deps(), answer(token))).toEqual({ hadEnded: true })
  })

  test('keeps the letters when a stranger who named the address ends what they have asked for', async () => {
    await guests.newGuest()
    const { endToken } = await ask()
    expect(await endAlert(deps(), answer(endToken))).toEqual({ hadEnded: false })
    expect(await countConfirmedAlerts(domain.db, album.id)).toBe(1)
  })

  test('gets one letter a day, also after asking again', async () => {
    await guests.newGuest()
    await addPhotos(1)
    await guests.passMinute()
    expect(mailbox.sent).toHaveLength(1)
    await guests.newGuest()
    await addPhotos(2)
    await guests.passMinute()
    expect(mailbox.sent).toEqual([])
    await guests.pass(25)
    await guests.passMinute()
    expect(mailbox.sent.map(({ subject }) => subject)).toEqual(['2 new photos of you in Party'])
  })

  test('ends the letters with one token, which deletes everything with the letters that are kept', async () => {
    const { endToken } = await guests.newGuest()
    await addPhotos(1)
    await guests.passMinute()
    const letters = await guests.letterIds()
    expect(letters).toHaveLength(2)
    expect(await endAlert(deps(), answer(endToken))).toEqual({ hadEnded: false })
    expect(await endAlert(deps(), answer(endToken))).toEqual({ hadEnded: true })
    expect(await alerts()).toEqual([])
    await removeEnded(domain)
    expect(mailbox.removed.toSorted()).toEqual(letters)
    expect(await guests.letterIds()).toEqual([])
    await guests.newGuest()
  })

  test('is forgotten when the stored data cannot be decrypted, or finds nobody', async () => {
    await guests.newGuest()
    await addPhotos(1)
    const [alert] = await alerts()
    const keyring = createKeyring(['another secret, as long as a real one'])
    await lookForNews(deps({ keyring }), alert!.id)
    expect(await alerts()).toEqual([])
    await guests.newGuest()
    await addPhotos(1)
    const { faces } = deps()
    const [other] = await alerts()
    await lookForNews(deps({ faces: { ...faces, engine: 'rekognition' } }), other!.id)
    expect(await alerts()).toEqual([])
  })
})

describe('a letter about new photos', () => {
  test('that may not have arrived is sent again, the same, whatever was added meanwhile', async () => {
    await guests.newGuest()
    await addPhotos(2)
    const ids: string[] = []
    mailbox.send = async ({ id }) => {
      ids.push(id)
      throw new AppError('SERVICE_UNAVAILABLE', 'The mail server does not answer')
    }
    await expect(guests.passMinute()).rejects.toThrow('does not answer')
    await addPhotos(4)
    mailbox.send = async (letter) => void mailbox.sent.push(letter)
    await guests.passMinute()
    expect(mailbox.sent).toMatchObject([{ id: ids[0], subject: '2 new photos of you in Party' }])
    await guests.passMinute()
    await guests.pass(25)
    await guests.passMinute()
    expect(mailbox.sent[1]).toMatchObject({ subject: '4 new photos of you in Party' })
    expect(mailbox.sent[1]!.id).not.toBe(ids[0])
  })

  test('is begun by one process only', async () => {
    await guests.newGuest()
    await addPhotos(2)
    const [id] = await dueAlerts(domain.db)
    await Promise.all([1, 2, 3].map(() => lookForNews(deps(), id!)))
    expect(await guests.letterIds()).toHaveLength(2)
  })
})

test('an erased album leaves no alert and no letter', async () => {
  const { endToken } = await guests.newGuest()
  const letters = await guests.letterIds()
  expect(await eraseAlbum(deps(), album, COMMAND_LINE)).toMatchObject({ rowsRemaining: 0 })
  expect(await alerts()).toEqual([])
  expect(mailbox.removed.toSorted()).toEqual(letters)
  expect(await endAlert(deps(), answer(endToken))).toEqual({ hadEnded: true })
})

import { describe, expect, test } from 'vitest'
import { RATE_LIMITS } from '../albums/rate-limits.ts'
import { AppError } from '../errors.ts'
import { createKeyring } from '../keyring.ts'
import type { Letter } from '../mail/mailer.ts'
import { searchUnknown } from '../search/search-token.ts'
import * as guests from '../testing/alert-guests.ts'
import { addPhotos, alerts, answer, ask, confirm, deps, engine } from '../testing/alert-guests.ts'
import { album, domain } from '../testing/domain.ts'
import { mailbox, removeEnded, sendLetters } from '../testing/mailbox.ts'
import { addAlert } from './add-alert.ts'
import { endAlert, readAlertState } from './alert-answers.ts'
import { countConfirmedAlerts } from './queries.ts'

guests.newGuestsForEachTest()

describe('the first letter', () => {
  test('has a fixed subject and nothing that somebody wrote but a harmless name, and no other follows', async () => {
    await domain.db
      .updateTable('albums')
      .set({ display_name: 'Win at https://evil.example !' })
      .where('id', '=', album.id)
      .execute()
    await ask()
    await addPhotos(3)
    await guests.passMinute()
    expect(mailbox.sent).toHaveLength(1)
    const [{ to, subject, text, html, stopUrl }] = mailbox.sent as [Letter]
    expect([to, subject]).toEqual(['guest@example.com', 'Please confirm your email address'])
    expect(text).toMatch(
      /^Yes, send me these letters:\nhttps:\/\/photos\.example\.com\/photo-letters#confirm=/m,
    )
    expect(text).toMatch(/^This was not me:\nhttps:\/\/photos\.example\.com\/photo-letters#refuse=/m)
    expect(stopUrl).toMatch(/\/photo-letters\?token=[\w-]+$/)
    expect(text + html).not.toContain('evil.example')
    expect(engine.searches).toBe(0)
    expect(await countConfirmedAlerts(domain.db, album.id)).toBe(0)
  })

  test('is deleted with everything else after a day without a confirmation', async () => {
    await ask()
    const letters = await guests.letterIds()
    await guests.passMinute()
    expect(await alerts()).toHaveLength(1)
    await guests.pass(25)
    await expect(confirm(mailbox.sent[0]!)).rejects.toThrow('These letters have ended')
    await guests.passMinute()
    expect(await alerts()).toEqual([])
    await removeEnded(domain)
    expect(mailbox.removed).toEqual(letters)
  })

  test('waits for the confirmation; the browser that asked learns of it, and of the end of the letters', async () => {
    const { endToken } = await ask()
    const state = async () => (await readAlertState(deps(), answer(endToken))).state
    expect(await state()).toBe('waiting')
    await confirm(mailbox.sent[0]!)
    expect(await state()).toBe('confirmed')
    await endAlert(deps(), answer(endToken))
    expect(await state()).toBe('ended')
    await expect(readAlertState(deps(), answer('x'.repeat(43)))).rejects.toThrow('This link is not valid')
  })

  test('refuses further ones from this album, and from no other, when it was not asked for', async () => {
    await ask()
    expect(await endAlert(deps(), answer(guests.tokenIn(mailbox.sent[0]!, 'refuse')))).toEqual({
      hadEnded: false,
    })
    expect(await alerts()).toEqual([])
    await expect(ask('Guest@example.com')).rejects.toThrow('We cannot send these letters to this address')
    await ask('other@example.com')
    album.id = (await domain.newAlbum('Another')).id
    await ask()
    expect(mailbox.sent).toHaveLength(3)
  })

  test('refuses further ones also when newer ones have come, and when everything has been deleted', async () => {
    await ask()
    await ask()
    const [first, second] = mailbox.sent as [Letter, Letter]
    await guests.pass(25)
    await guests.passMinute()
    expect(await alerts()).toEqual([])
    const refuse = (letter: Letter) => endAlert(deps(), answer(guests.tokenIn(letter, 'refuse')))
    expect(await refuse(first)).toEqual({ hadEnded: false })
    await expect(ask()).rejects.toThrow('We cannot send these letters to this address')
    expect(await refuse(first)).toEqual({ hadEnded: true })
    expect(await refuse(second)).toEqual({ hadEnded: true })
  })

  test('refuses further ones also after SECRET_KEY got a new key', async () => {
    await ask()
    await endAlert(deps(), answer(guests.tokenIn(mailbox.sent[0]!, 'refuse')))
    const keyring = createKeyring([
      'a new secret, as long as a real one',
      'a secret for tests that is as long as a real one',
    ])
    await expect(
      addAlert(
        { ...deps(), keyring },
        album,
        { email: 'guest@example.com', searchToken: guests.searchTokenOf() },
        { address: '192.0.2.7', sessionId: undefined },
      ),
    ).rejects.toThrow('We cannot send these letters to this address')
  })

  test('that waits to be sent is not sent after an earlier one was refused', async () => {
    await ask()
    const refused = guests.tokenIn(mailbox.sent[0]!, 'refuse')
    mailbox.send = () =>
      Promise.reject(new AppError('SERVICE_UNAVAILABLE', 'The mail server does not answer'))
    await expect(ask()).rejects.toThrow('does not answer')
    await endAlert(deps(), answer(refused))
    mailbox.send = async (letter) => void mailbox.sent.push(letter)
    await sendLetters(deps())
    await guests.passMinute()
    expect(mailbox.sent).toHaveLength(1)
    expect(await alerts()).toEqual([])
  })

  test('that is refused for its session is not counted for others behind the network', async () => {
    const limits = { ...RATE_LIMITS, letter: { ...RATE_LIMITS.letter, calls: 4, ofSession: 3 } }
    const askAs = (email: string, sessionId: string) =>
      addAlert(
        { ...deps(), limits },
        album,
        { email, searchToken: guests.searchTokenOf(undefined, sessionId) },
        { address: '192.0.2.7', sessionId },
      )
    const tooMany = { code: 'TOO_MANY_REQUESTS' }
    for (const guest of ['one', 'two', 'three']) await askAs(`${guest}@example.com`, 'greedy')
    for (let times = 0; times < 20; times++)
      await expect(askAs('four@example.com', 'greedy')).rejects.toMatchObject(tooMany)
    await askAs('four@example.com', 'guest')
    // New sessions do not get more than the network may ask for.
    await expect(askAs('five@example.com', 'another')).rejects.toMatchObject(tooMany)
  })

  test('that the mail server refuses deletes what was kept', async () => {
    mailbox.send = () =>
      Promise.reject(new AppError('UNPROCESSABLE_CONTENT', 'The recipient is refused permanently'))
    await ask()
    await guests.passMinute()
    expect(await alerts()).toEqual([])
    await expect(ask()).rejects.toThrow('We cannot send these letters to this address')
  })
})

test('neither the address nor what finds the guest is stored in the clear, and a token that is not valid is refused', async () => {
  await ask()
  const { sealed, address_hash, ...row } = (await alerts())[0]!
  const stored = JSON.stringify(row) + sealed.toString('latin1') + address_hash.toString('latin1')
  expect(stored).not.toContain('guest@example.com')
  expect(stored).not.toContain(guests.evidence.bytes.toString('base64'))
  await expect(ask('a@example.com', 'forged')).rejects.toThrow(searchUnknown().message)
})

import { describe, expect, test } from 'vitest'
import { TICKET_REFUSED } from '../contract/wording.ts'
import { AppError } from '../errors.ts'
import { createKeyring } from '../keyring.ts'
import type { Letter } from '../mail/mailer.ts'
import {
  addPhotos,
  alerts,
  answer,
  ask,
  callDeps,
  confirm,
  engine,
  lettersToRemove,
  mailbox,
  newGuestsForEachTest,
  pass,
  passMinute,
  templates,
  tokenIn,
} from '../testing/alert-guests.ts'
import { album, domain } from '../testing/domain-album.ts'
import { confirmAlert, endAlert } from './alert-answers.ts'
import { alertToken } from './alert-links.ts'
import { countConfirmedAlerts } from './alert-queries.ts'

newGuestsForEachTest()

describe('the first letter', () => {
  test('has a fixed subject and nothing that somebody wrote but a harmless name, and no other follows', async () => {
    await domain.db
      .updateTable('albums')
      .set({ display_name: 'Win at https://evil.example !' })
      .where('id', '=', album.id)
      .execute()
    await ask()
    await addPhotos(3)
    await passMinute()
    expect(mailbox.sent).toHaveLength(1)
    const [{ to, subject, text, html, stopUrl }] = mailbox.sent as [Letter]
    expect([to, subject]).toEqual(['guest@example.com', 'Please confirm your email address'])
    expect(text).toMatch(
      /^Yes, send me these letters: https:\/\/photos\.example\.com\/photo-letters#confirm=/m,
    )
    expect(text).toMatch(/^This was not me: https:\/\/photos\.example\.com\/photo-letters#refuse=/m)
    expect(stopUrl).toMatch(/\/photo-letters\?token=[\w-]{43}$/)
    expect(text + html).not.toContain('evil.example')
    expect(engine.searches).toBe(0)
    expect(await countConfirmedAlerts(domain.db, album.id)).toBe(0)
  })

  test('is deleted with everything else after a day without a confirmation', async () => {
    await ask()
    const letters = await lettersToRemove()
    await passMinute()
    expect(await alerts()).toHaveLength(1)
    await pass(25)
    await expect(confirm(mailbox.sent[0]!)).rejects.toThrow('These letters have ended')
    await passMinute()
    expect(await alerts()).toEqual([])
    expect(mailbox.removed).toEqual(letters)
  })

  test('refuses further ones from this album, and from no other, when it was not asked for', async () => {
    await ask()
    expect(await endAlert(callDeps(), answer(tokenIn(mailbox.sent[0]!, 'refuse')))).toEqual({
      hadEnded: false,
    })
    expect(await alerts()).toEqual([])
    await expect(ask('Guest@example.com')).rejects.toThrow('We cannot send these letters to this address')
    await ask('other@example.com')
    album.id = (await domain.newAlbum('Another')).id
    await ask()
    expect(mailbox.sent).toHaveLength(3)
  })

  test('comes three times a day from one album, and ten times from all', async () => {
    for (let times = 0; times < 3; times++) await ask()
    await expect(ask()).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
    await expect(ask('guest+1@example.com')).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
    for (let more = 3; more < 10; more++) {
      album.id = (await domain.newAlbum()).id
      await ask()
    }
    album.id = (await domain.newAlbum()).id
    await expect(ask()).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS', retryAfter: expect.any(Number) })
    expect(mailbox.sent).toHaveLength(10)
  })

  test('that the mail server refuses deletes what was kept', async () => {
    mailbox.send = () =>
      Promise.reject(new AppError('UNPROCESSABLE_CONTENT', 'The recipient is refused permanently'))
    await ask()
    expect(await alerts()).toEqual([])
    await expect(ask()).rejects.toThrow('We cannot send these letters to this address')
  })
})

test('neither the address nor the template is stored in the clear, and a ticket that is not valid is refused', async () => {
  await ask()
  const { sealed, address_hash, ...row } = (await alerts())[0]!
  const stored = JSON.stringify(row) + sealed.toString('latin1') + address_hash.toString('latin1')
  expect(stored).not.toContain('guest@example.com')
  expect(stored).not.toContain(templates.embedded.toString('base64'))
  await expect(ask('a@example.com', 'forged')).rejects.toThrow(TICKET_REFUSED)
})

test('a token does only what it was made for', async () => {
  await ask()
  const { id } = (await alerts())[0]!
  const other = createKeyring(['another secret, as long as a real one'])
  for (const token of [
    alertToken(domain.keyring, 'confirm', id),
    alertToken(other, 'end', id),
    'x'.repeat(43),
    '',
  ])
    await expect(endAlert(callDeps(), answer(token))).rejects.toThrow('This link is not valid')
  await expect(confirmAlert(callDeps(), answer(alertToken(domain.keyring, 'end', id)))).rejects.toThrow(
    'This link is not valid',
  )
})

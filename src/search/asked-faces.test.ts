import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createKeyring } from '../keyring.ts'
import { answeredFaces, askedFace } from './asked-faces.ts'

const keyring = createKeyring(['a secret for tests, as long as a real one'])
const ASKED = { album: { id: randomUUID(), password_version: 1 }, sessionId: 'of a guest' }
const faceId = randomUUID()
const signed = askedFace(keyring, ASKED, faceId)

test('the id of a face that a search asks about ends with the session and with the password, and is of this album', () => {
  expect(answeredFaces(keyring, ASKED, { confirmed: [signed] }).confirmed).toEqual([faceId])
  for (const other of [
    { ...ASKED, sessionId: 'of another guest' },
    { ...ASKED, album: { ...ASKED.album, password_version: 2 } },
    { ...ASKED, album: { ...ASKED.album, id: randomUUID() } },
  ])
    expect(() => answeredFaces(keyring, other, { confirmed: [signed] })).toThrow()
})

test('without its signature, with another one, or for another face it is refused', () => {
  const bytes = Buffer.from(signed, 'base64url')
  const withOther = Buffer.concat([
    bytes.subarray(0, -16),
    Buffer.from(randomUUID().replaceAll('-', ''), 'hex'),
  ])
  for (const forged of [
    faceId,
    `A${signed.slice(1)}`,
    `B${signed.slice(1)}`,
    withOther.toString('base64url'),
    '',
  ])
    if (forged !== signed) expect(() => answeredFaces(keyring, ASKED, { confirmed: [forged] })).toThrow()
})

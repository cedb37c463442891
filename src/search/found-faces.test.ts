import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { OPT_OUT_MAX_FACES } from '../contract/opt-outs.ts'
import { createKeyring } from '../keyring.ts'
import { facesExpired, facesFound, foundFaces, invalidFaces } from './found-faces.ts'

const ALBUM = { id: randomUUID(), password_version: 1 }
const FACES = [randomUUID(), randomUUID()]
const NOW = Date.parse('2026-06-20T18:00:00Z')
const keyring = createKeyring(['secret'])
const faces = foundFaces(keyring, ALBUM, FACES, NOW)

const refused = (error: { message: string }) => expect.objectContaining({ message: error.message })

test('names the faces for an hour', () => {
  expect(facesFound(keyring, ALBUM, faces, NOW + 3_599_000)).toEqual(FACES)
  expect(() => facesFound(keyring, ALBUM, faces, NOW + 3_600_000)).toThrow(refused(facesExpired()))
  expect(facesFound(createKeyring(['newer', 'secret']), ALBUM, faces, NOW)).toEqual(FACES)
})

test('is refused for another album, after a change of the password, and when any part of it was changed', () => {
  const bytes = Buffer.from(faces, 'base64url')
  const changed = [...bytes.keys()].map((at) => {
    const copy = Buffer.from(bytes)
    copy[at] = copy[at]! ^ 1
    return copy.toString('base64url')
  })
  const longer = Buffer.concat([bytes, Buffer.alloc(16)]).toString('base64url')
  for (const forged of [...changed, longer, faces.slice(0, 10), 'x', ''])
    expect(() => facesFound(keyring, ALBUM, forged, NOW), forged).toThrow(refused(invalidFaces()))
  for (const other of [
    { ...ALBUM, id: randomUUID() },
    { ...ALBUM, password_version: 2 },
  ])
    expect(() => facesFound(keyring, other, faces, NOW)).toThrow(refused(invalidFaces()))
})

test('names no more faces than one call can opt out', () => {
  const many = Array.from({ length: OPT_OUT_MAX_FACES + 1 }, () => randomUUID())
  const text = foundFaces(keyring, ALBUM, many, NOW)
  expect(facesFound(keyring, ALBUM, text, NOW)).toEqual(many.slice(0, OPT_OUT_MAX_FACES))
  expect(text.length).toBeLessThan(30_000)
})

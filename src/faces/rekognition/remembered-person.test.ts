import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { faceAt, startTableIndex, type TableIndex } from '../../testing/rekognition/table-index.ts'
import { ticketRefused } from '../errors.ts'
import type { PersonQuery } from '../face-index.ts'

let album: TableIndex

beforeEach(async () => {
  album = await startTableIndex()
  faces = [
    await album.photoOf(faceAt(0.1)),
    await album.photoOf(faceAt(0.2)),
    await album.photoOf(faceAt(0.3)),
  ]
  template = (await search({ selfies: [{ image: await album.pictureOf(faceAt(0)) }] })).template!
})
afterEach(() => album.close())

let faces: string[]
let template: Buffer

const search = (person: PersonQuery) => album.search(person)

const again = (more: Partial<PersonQuery> = {}) => search({ selfies: [], template, ...more })

test('finds the photos again, and later ones', async () => {
  const later = await album.photoOf(faceAt(0.5))
  const { sure, template: next } = await again()
  expect(sure.toSorted()).toEqual([...faces, later].toSorted())
  expect(next).toEqual(template)
})

test('is decided by the best remembered face, and two others must agree', async () => {
  const [alone, together] = [await album.photoOf(faceAt(0.8)), await album.photoOf(faceAt(0.66))]
  const { sure, possible } = await again()
  expect(sure.toSorted()).toEqual([...faces, together].toSorted())
  expect(possible).toEqual([alone])
})

test('skips faces that have been erased, and is refused when none remains', async () => {
  await album.index.removeFaces(album.albumId, [faces[0]!])
  const { sure, template: next } = await again()
  expect(sure.toSorted()).toEqual(faces.slice(1).toSorted())
  expect(next).toEqual(template.subarray(16))
  await album.index.removeFaces(album.albumId, faces)
  await expect(again()).rejects.toThrow(ticketRefused())
})

test('does not search by a rejected face, and searches by a confirmed one', async () => {
  const [far, farther] = [await album.photoOf(faceAt(0.9)), await album.photoOf(faceAt(1.2))]
  const likeFirst = await album.photoOf(faceAt(-0.35))
  expect((await again()).sure).toContain(likeFirst)
  const { sure, possible } = await again({ rejected: [faces[0]!], confirmed: [far] })
  expect(sure.toSorted()).toEqual([...faces.slice(1), far].toSorted())
  expect(possible).toEqual([farther])
})

test('has no effect in another album', async () => {
  const other = randomUUID()
  await album.index.createCollection(other)
  await album.photoOf(faceAt(0), other)
  await expect(album.index.search([other], { selfies: [], template })).rejects.toThrow(ticketRefused())
})

test('is unavailable while the service is busy', async () => {
  album.service.fault = () => 'ThrottlingException'
  await expect(again()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
})

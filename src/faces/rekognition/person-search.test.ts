import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ServiceFault } from '../../testing/rekognition/service-error.ts'
import { faceAt, startTableIndex, type TableIndex } from '../../testing/rekognition/table-index.ts'
import type { PersonQuery } from '../face-index.ts'

let album: TableIndex

beforeEach(async () => {
  album = await startTableIndex()
})
afterEach(() => album.close())

async function selfie(face = faceAt(0)) {
  return { image: await album.pictureOf(face) }
}

const search = (person: PersonQuery) => album.search(person)

const failing = (fault: ServiceFault) => {
  album.service.fault = (operation) =>
    operation === 'SearchFaces' || operation === 'DetectFaces' ? fault : undefined
}

test('a selfie that is as similar as a copy is from the album', async () => {
  const found = async () =>
    (await album.index.search([album.albumId], { selfies: [await selfie()] })).found.get(album.albumId)
  await album.photoOf(faceAt(0.3))
  expect(await found()).not.toHaveProperty('isFromAlbum')
  await album.photoOf(faceAt(0))
  expect(await found()).toMatchObject({ isFromAlbum: true })
})

test('finds a face that only the found faces resemble: surely when two do, possibly when one does', async () => {
  const [near, nearer] = [await album.photoOf(faceAt(0.4)), await album.photoOf(faceAt(0.3))]
  const [far, farther] = [await album.photoOf(faceAt(0.65)), await album.photoOf(faceAt(0.86))]
  const { sure, possible } = await search({ selfies: [await selfie()] })
  expect(sure.toSorted()).toEqual([near, nearer, far].toSorted())
  expect(possible).toEqual([farther])
})

test.each<ServiceFault>([
  'ThrottlingException',
  'ProvisionedThroughputExceededException',
  'AccessDeniedException',
  'break',
])('is answered with what the selfie found when other calls fail: %s', async (fault) => {
  const [near, nearer] = [await album.photoOf(faceAt(0.4)), await album.photoOf(faceAt(0.3))]
  await album.photoOf(faceAt(0.65))
  failing(fault)
  const { sure, possible, selfies, evidence } = await search({ selfies: [await selfie()] })
  expect([sure, possible]).toEqual([[nearer, near], []])
  expect(selfies).toMatchObject([{ faces: [{ box: { width: 0.2 } }], searched: 0, problems: [] }])
  expect(evidence).toBeDefined()
})

test('does not search by poor faces', async () => {
  for (const [x, quality] of [
    [0.3, { yaw: 60 }],
    [0.4, { sharpness: 3 }],
  ] as const)
    await album.photoOf(faceAt(x, 0, { quality }))
  const far = await album.photoOf(faceAt(0.65))
  const { sure, possible } = await search({ selfies: [await selfie()] })
  expect([...sure, ...possible]).not.toContain(far)
  expect(album.service.count('SearchFaces')).toBe(0)
})

test('makes at most ten calls for one selfie, however much is found and confirmed', async () => {
  for (let photo = 0; photo < 10; photo++) await album.photoOf(faceAt(0.3 + photo / 100))
  const confirmed: string[] = []
  for (let photo = 0; photo < 6; photo++) confirmed.push(await album.photoOf(faceAt(0, 0.6 + photo / 100)))
  album.service.served.length = 0
  const { sure } = await search({ selfies: [await selfie()], confirmed })
  expect(sure).toHaveLength(16)
  expect(album.service.count('SearchFaces')).toBe(8)
  expect(album.service.served).toHaveLength(10)
})

test('a second selfie takes away no photo that the found faces of the first one lead to', async () => {
  for (const x of [-0.2, -0.21]) await album.photoOf(faceAt(x))
  const far = await album.photoOf(faceAt(-0.65))
  for (const x of [0.3, 0.31, 0.32, 0.33]) await album.photoOf(faceAt(x))
  const [first, second] = [await selfie(), await selfie(faceAt(0.31))]
  expect((await search({ selfies: [first] })).sure).toContain(far)
  expect((await search({ selfies: [second] })).sure).not.toContain(far)
  expect((await search({ selfies: [first, second] })).sure).toContain(far)
})

test('searches by a confirmed face, and not by a rejected one', async () => {
  const [found, confirmed] = [await album.photoOf(faceAt(0.3)), await album.photoOf(faceAt(0.55))]
  const beyond = await album.photoOf(faceAt(1))
  const selfies = [await selfie()]
  expect((await search({ selfies })).possible).toEqual([confirmed])
  expect(await search({ selfies, confirmed: [confirmed] })).toMatchObject({
    sure: [confirmed, found],
    possible: [beyond],
  })
  expect(await search({ selfies, rejected: [found] })).toMatchObject({ sure: [], possible: [] })
})

test('leaves out a selfie of somebody else, when both people are in the album', async () => {
  const [own, other] = [await album.photoOf(faceAt(0.1)), await album.photoOf(faceAt(5))]
  const mine = [await selfie(), await selfie(faceAt(0.2))]
  const theirs = await selfie(faceAt(5.1))
  const { sure, selfies } = await search({ selfies: [mine[0]!, theirs, mine[1]!] })
  expect(sure).toEqual([own])
  expect(selfies.map(({ isSomebodyElse }) => isSomebodyElse)).toEqual([false, true, false])
  await album.index.removeFaces(album.albumId, [own])
  expect((await search({ selfies: [mine[0]!, theirs] })).sure).toEqual([other])
})

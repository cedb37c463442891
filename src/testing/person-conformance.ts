import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { FaceIndex, IndexedFace, IndexedPhoto } from '../faces/face-index.ts'
import { cropFace, inMemory, plainWall } from './sample-photos.ts'

export function leftToRight({ faces }: IndexedPhoto): IndexedFace[] {
  return faces.toSorted((one, other) => one.box.left - other.box.left)
}

interface Parts {
  index: FaceIndex
  /** Creates an album with an empty collection. */
  newCollection(): Promise<string>
  /** Photos of different people. */
  party: Buffer
  bar: Buffer
}

/** The tests of what else a search can know about a person, which every face index must pass.
 *  @param parts is called when the tests run */
export function testPersons(parts: () => Parts): void {
  test('a selfie with several faces is searched by its largest face, or by the one that is chosen', async () => {
    const { index, newCollection, party } = parts()
    const albumId = await newCollection()
    const faces = leftToRight(await index.indexPhoto(albumId, randomUUID(), inMemory(party)))
    const [small, , large] = faces
    const selfie = await sharp({ create: { width: 1000, height: 640, channels: 3, background: '#888' } })
      .composite([
        { input: await scaled(cropFace(party, small!.box, 2), 300), left: 20, top: 20 },
        { input: await scaled(cropFace(party, large!.box, 2), 600), left: 360, top: 20 },
      ])
      .jpeg({ quality: 95 })
      .toBuffer()
    const searchBy = async (chosen?: number) => {
      const { found, selfies } = await index.search([albumId], {
        selfies: [{ image: selfie, face: chosen }],
      })
      return { ids: found.get(albumId)!.sure.map((match) => match.faceId), seen: selfies[0]! }
    }
    for (const [choice, place, own] of [
      [undefined, 0, large!.faceId],
      [1, 1, small!.faceId],
      [7, 0, large!.faceId],
    ] as const) {
      const { ids, seen } = await searchBy(choice)
      expect(ids).toEqual([own])
      expect(seen.faces).toHaveLength(2)
      expect(seen.searched).toBe(place)
      expect(seen.faces[0]!.box.left).toBeGreaterThan(seen.faces[1]!.box.left)
    }
  })

  test('several selfies find the photos of each, and one without a face is named', async () => {
    const { index, newCollection, party } = parts()
    const albumId = await newCollection()
    const partyId = randomUUID()
    const [face] = leftToRight(await index.indexPhoto(albumId, partyId, inMemory(party)))
    const selfie = await cropFace(party, face!.box, 2)
    const { found, selfies } = await index.search([albumId], {
      selfies: [{ image: await plainWall() }, { image: selfie }],
    })
    expect(found.get(albumId)!.sure).toMatchObject([{ photoId: partyId }])
    expect(selfies).toMatchObject([
      { faces: [], problems: ['NO_FACE'], isSomebodyElse: false },
      { faces: [{ box: expect.anything() }], searched: 0, isSomebodyElse: false },
    ])
  })

  test('a confirmed face is sure, and a wrong one brings in nobody else', async () => {
    const { index, newCollection, party, bar } = parts()
    const albumId = await newCollection()
    const [partyId, barId] = [randomUUID(), randomUUID()]
    const [own] = leftToRight(await index.indexPhoto(albumId, partyId, inMemory(party)))
    const [stranger] = leftToRight(await index.indexPhoto(albumId, barId, inMemory(bar)))
    await index.indexPhoto(albumId, randomUUID(), inMemory(await sharp(bar).jpeg({ quality: 70 }).toBuffer()))
    const selfies = [{ image: await cropFace(party, own!.box, 2) }]
    const { found } = await index.search([albumId], { selfies, confirmed: [stranger!.faceId] })
    const sure = found.get(albumId)!.sure.map(({ faceId }) => faceId)
    expect(sure.toSorted()).toEqual([own!.faceId, stranger!.faceId].toSorted())
  })

  test('the ids of faces of another album have no effect', async () => {
    const { index, newCollection, party, bar } = parts()
    const [albumId, otherId] = [await newCollection(), await newCollection()]
    const [own] = leftToRight(await index.indexPhoto(albumId, randomUUID(), inMemory(party)))
    const [other] = leftToRight(await index.indexPhoto(otherId, randomUUID(), inMemory(bar)))
    const person = { selfies: [{ image: await cropFace(party, own!.box, 2) }] }
    const { found } = await index.search([albumId], person)
    for (const ids of [[other!.faceId], [randomUUID()]]) {
      const answer = await index.search([albumId], { ...person, confirmed: ids, rejected: ids })
      expect(answer.found).toEqual(found)
    }
  })

  test('finds a person again without the selfie, also in photos that are added later', async () => {
    const { index, newCollection, party } = parts()
    const albumId = await newCollection()
    const [partyId, copyId, laterId] = [randomUUID(), randomUUID(), randomUUID()]
    const copy = (quality: number) => sharp(party).jpeg({ quality }).toBuffer()
    const [face] = leftToRight(await index.indexPhoto(albumId, partyId, inMemory(party)))
    await index.indexPhoto(albumId, copyId, inMemory(await copy(80)))
    const selfies = [{ image: await cropFace(party, face!.box, 2) }]
    const { evidence } = await index.search([albumId], { selfies })
    await index.indexPhoto(albumId, laterId, inMemory(await copy(70)))
    const searchAgain = async (rejected: string[] = []) => {
      const again = await index.search([albumId], { selfies: [], evidence, isLater: true, rejected })
      expect(again.selfies).toEqual([])
      return { ids: again.found.get(albumId)!.sure.map(({ photoId }) => photoId) }
    }
    const { ids } = await searchAgain()
    expect(ids.toSorted()).toEqual([partyId, copyId, laterId].toSorted())
    expect((await searchAgain([face!.faceId])).ids.toSorted()).toEqual([copyId, laterId].toSorted())
  })

  test('finds the same again by the evidence of a search, in place of its selfies or beside another one', async () => {
    const { index, newCollection, party, bar } = parts()
    const albumId = await newCollection()
    const copy = await sharp(party).jpeg({ quality: 80 }).toBuffer()
    const faces = leftToRight(await index.indexPhoto(albumId, randomUUID(), inMemory(party)))
    await index.indexPhoto(albumId, randomUUID(), inMemory(copy))
    const [other] = leftToRight(await index.indexPhoto(albumId, randomUUID(), inMemory(bar)))
    const selfie = { image: await cropFace(party, faces[0]!.box, 2) }
    const { found, evidence } = await index.search([albumId], { selfies: [selfie] })
    expect(found.get(albumId)!.sure).toHaveLength(2)
    const again = await index.search([albumId], { selfies: [], evidence })
    expect(again).toMatchObject({ selfies: [], evidence })
    expect(again.found).toEqual(found)

    const added = await index.search([albumId], {
      selfies: [{ image: await cropFace(bar, other!.box, 2) }, { image: await plainWall() }],
      evidence,
    })
    expect(added.selfies).toMatchObject([{ isSomebodyElse: true }, { problems: ['NO_FACE'] }])
    expect(added.found.get(albumId)!.sure).toEqual(found.get(albumId)!.sure)
    const rejected = await index.search([albumId], { selfies: [], evidence, rejected: [faces[0]!.faceId] })
    expect(rejected.found.get(albumId)!.sure).toHaveLength(1)
  })
}

async function scaled(image: Promise<Buffer>, width: number): Promise<Buffer> {
  return sharp(await image)
    .resize({ width, height: width, fit: 'fill' })
    .png()
    .toBuffer()
}

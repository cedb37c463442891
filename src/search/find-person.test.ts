import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { changeSettings } from '../albums/settings.ts'
import { COMMAND_LINE } from '../audit/audit-log.ts'
import type { FaceIndex, PersonQuery } from '../faces/face-index.ts'
import { domainOfFile } from '../testing/domain.ts'
import { faceIndexWith, match, surelyFound } from '../testing/engine-answers.ts'
import { photosLike } from './find-person.ts'
import { searchUnknown } from './search-token.ts'

const domain = await domainOfFile()

const SELFIES = [{ image: Buffer.from('a selfie') }]
const ALBUMS = [randomUUID(), randomUUID()]

const deps = (search: FaceIndex['search']) => ({
  db: domain.db,
  faces: faceIndexWith({ search }),
})

test('the photos of several albums come together, the best match first', async () => {
  const [one, two, three] = [randomUUID(), randomUUID(), randomUUID()]
  const search = async () =>
    surelyFound([
      [ALBUMS[0]!, [match(one, 90)]],
      [ALBUMS[1]!, [match(two, 95), match(three, 81)]],
    ])
  const { sure } = await photosLike(deps(search), ALBUMS, { selfies: SELFIES })
  expect(sure.map(({ photoId }) => photoId)).toEqual([two, one, three])
})

test('with an album for children among them, the search is that of children', async () => {
  const asked: PersonQuery[] = []
  const search: FaceIndex['search'] = async (_albums, person) => {
    asked.push(person)
    return surelyFound([])
  }
  const ids = [(await domain.newAlbum()).id, (await domain.newAlbum()).id]
  const look = () => photosLike(deps(search), ids, { selfies: SELFIES })
  await look()
  await changeSettings(domain, { id: ids[1]!, owner_key_version: 1 }, { forChildren: 'on' }, COMMAND_LINE)
  await look()
  expect(asked.map(({ amongChildren }) => amongChildren)).toEqual([false, true])
})

test('a person is searched for again by what the same engine has answered, and by nothing of another one', async () => {
  const asked: PersonQuery[] = []
  const { db, faces } = deps(async (_albums, person) => {
    asked.push(person)
    return { ...surelyFound([]), evidence: Buffer.from('evidence') }
  })
  const { evidence } = await photosLike({ db, faces }, ALBUMS, { selfies: SELFIES })
  await photosLike({ db, faces }, ALBUMS, { selfies: [], evidence })
  expect(asked.slice(1)).toMatchObject([{ evidence: Buffer.from('evidence') }])
  const other = { db, faces: { ...faces, engine: 'rekognition' as const } }
  await expect(photosLike(other, ALBUMS, { selfies: [], evidence })).rejects.toThrow(searchUnknown())
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { createClient, readSample } from '../testing/client.ts'
import { newPicture } from '../testing/new-picture.ts'

const HEIC = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1')

let service: TestApp
beforeAll(async () => {
  service = await startTestApp({ work: false })
})
afterAll(() => service?.close())

test('photos are taken as what they are, whatever their names say', async () => {
  const owner = createClient(service.url)
  const { ownerKey } = await owner.createAlbum('Wrong names')
  const { body } = await owner.uploadPhotos(ownerKey, [
    { name: 'a.HEIC', bytes: await readSample(1) },
    { name: 'b.jpe', bytes: await readSample(2) },
    { name: 'c', bytes: await newPicture() },
    { name: 'd.jpg', bytes: HEIC },
    { name: 'e.heic', bytes: Buffer.concat([HEIC, HEIC]) },
  ])
  expect(body.files.map(({ status }: { status: string }) => status)).toEqual([
    'stored',
    'stored',
    'stored',
    'refused',
    'refused',
  ])
  expect(body.files[3].message).toBe(
    'This is a HEIC picture although its name says .jpg. Please save it as JPEG',
  )
  expect(body.files[4].message).not.toContain('although')
})

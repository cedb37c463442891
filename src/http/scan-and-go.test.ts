import { expect, test } from 'vitest'
import { appOfFile } from '../testing/app-of-file.ts'
import { createClient } from '../testing/client.ts'

const service = await appOfFile({ work: false })

test('a code lets in while it is on and its password is the present one; the typed password always does', async () => {
  const owner = createClient(service.url)
  const { ownerKey, albumName } = await owner.createAlbum()
  const { albumPassword: password } = (await owner.get(`/api/albums/by-name/${albumName}`)).body.album
  const enter = async (input: object) => {
    const guest = createClient(service.url)
    const { status } = await guest.post(`/api/albums/${albumName}/authenticate`, input)
    const entered = (await guest.get(`/api/albums/by-name/${albumName}`)).status
    expect(entered).toBe(status)
    return status
  }
  const set = (scanAndGo: string) => owner.post(`/api/albums/${ownerKey}/settings`, { scanAndGo })

  expect(await enter({ password, byCode: true })).toBe(401)
  expect(await enter({ password })).toBe(200)
  await set('on')
  expect(await enter({ password, byCode: true })).toBe(200)
  const changed = (await owner.post(`/api/albums/${ownerKey}/password`, {})).body.albumPassword
  expect(await enter({ password, byCode: true })).toBe(401)
  expect(await enter({ password: changed, byCode: true })).toBe(200)
  await set('off')
  expect(await enter({ password: changed, byCode: true })).toBe(401)
  expect((await owner.get(`/api/albums/${ownerKey}/guests`)).body.entered).toBe(3)
})

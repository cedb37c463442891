import { beforeEach, expect, test, vi } from 'vitest'
import { createClient, type TestClient } from '../testing/client.ts'
import { albumName, createAlbumForEachTest, owner, ownerKey, service } from '../testing/own-album.ts'

createAlbumForEachTest({ work: false })

let id: string
let password: string
beforeEach(async () => {
  ;({ id, albumPassword: password } = (await owner.get(`/api/albums/by-name/${albumName}`)).body.album)
})

test('a code lets in while it is on and its password is the present one; the typed password always does', async () => {
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
  expect(changed).not.toBe(password)
  for (const byCode of [true, false]) expect(await enter({ password, byCode })).toBe(401)
  expect(await enter({ password: changed, byCode: true })).toBe(200)
  await set('off')
  expect(await enter({ password: changed, byCode: true })).toBe(401)
  expect((await owner.get(`/api/albums/${ownerKey}/guests`)).body.entered).toBe(3)
})

test('the faces of an album begin to load when a guest enters its password or opens it again, and not with a wrong one', async () => {
  const prepare = vi.spyOn(service.context.faces, 'prepare')
  const visit = (client: TestClient) =>
    client.get(`/trpc/albums.visit?input=${encodeURIComponent(JSON.stringify({ albumName }))}`)
  await visit(owner)
  expect(prepare, 'without faces').not.toHaveBeenCalled()
  await service.database.db.updateTable('albums').set({ faces_found: 3 }).execute()
  const guest = createClient(service.url)
  const enter = (tried: string) => guest.post(`/api/albums/${albumName}/authenticate`, { password: tried })
  await enter('wrong')
  await visit(guest)
  expect(prepare).not.toHaveBeenCalled()
  await enter(password)
  expect(prepare).toHaveBeenCalledExactlyOnceWith([id])
  await visit(guest)
  expect(prepare).toHaveBeenCalledTimes(2)
})

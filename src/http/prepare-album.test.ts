import { expect, test, vi } from 'vitest'
import { albumName, createAlbumForEachTest, owner, service } from '../testing/album-for-each-test.ts'
import { createClient, type TestClient } from '../testing/client.ts'

createAlbumForEachTest({ work: false })

test('the faces of an album begin to load when a guest enters its password or opens it again, and not with a wrong one', async () => {
  const prepare = vi.spyOn(service.context.faces, 'prepare')
  const { id, albumPassword: password } = (await owner.get(`/api/albums/by-name/${albumName}`)).body.album
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

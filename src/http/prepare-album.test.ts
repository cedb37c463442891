import { expect, test, vi } from 'vitest'
import { albumName, createAlbumForEachTest, owner, service } from '../testing/album-for-each-test.ts'
import { guestOf } from '../testing/app-of-file.ts'
import { createClient, type TestClient } from '../testing/client.ts'

createAlbumForEachTest({ work: false })

test('the faces of an album begin to load when a guest enters its password or opens it again, and not with a wrong one', async () => {
  const prepare = vi.spyOn(service.context.services.faces, 'prepare')
  const { id } = (await owner.get(`/api/albums/by-name/${albumName}`)).body.album
  const visit = (client: TestClient) =>
    client.get(`/trpc/albums.visit?input=${encodeURIComponent(JSON.stringify({ albumName }))}`)
  await visit(owner)
  expect(prepare, 'without faces').not.toHaveBeenCalled()
  await service.database.db.updateTable('albums').set({ faces_found: 3 }).execute()
  const guest = createClient(service.url)
  await guest.post(`/api/albums/${albumName}/authenticate`, { password: 'wrong' })
  await visit(guest)
  expect(prepare).not.toHaveBeenCalled()
  await guestOf(service, owner, albumName, guest)
  expect(prepare).toHaveBeenCalledExactlyOnceWith([id])
  await visit(guest)
  expect(prepare).toHaveBeenCalledTimes(2)
})

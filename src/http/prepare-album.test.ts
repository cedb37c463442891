import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { createClient, type TestClient } from '../testing/client.ts'

let service: TestApp
let owner: TestClient
let albumName: string
let album: { id: string; albumPassword: string }

beforeAll(async () => {
  service = await startTestApp({ work: false })
})
afterAll(() => service?.close())
beforeEach(async () => {
  owner = createClient(service.url)
  albumName = (await owner.createAlbum()).albumName
  album = (await owner.get(`/api/albums/by-name/${albumName}`)).body.album
  vi.spyOn(service.context.faces, 'prepare').mockClear()
})

const findFaces = () =>
  service.database.db.updateTable('albums').set({ faces_found: 3 }).where('id', '=', album.id).execute()

const enter = (client: TestClient, password: string) =>
  client.post(`/api/albums/${albumName}/authenticate`, { password })

const visit = (client: TestClient) =>
  client.get(`/trpc/albums.visit?input=${encodeURIComponent(JSON.stringify({ albumName }))}`)

test('the faces of an album begin to load when a guest enters its password or opens it again, and not with a wrong one', async () => {
  const { prepare } = service.context.faces
  await findFaces()
  const guest = createClient(service.url)
  expect((await enter(guest, 'wrong')).status).toBe(401)
  expect((await visit(guest)).status).toBe(200)
  expect(prepare).not.toHaveBeenCalled()
  expect((await enter(guest, album.albumPassword)).status).toBe(200)
  expect(prepare).toHaveBeenCalledExactlyOnceWith([album.id])
  await visit(guest)
  expect(prepare).toHaveBeenCalledTimes(2)
})

test('nothing is loaded for an album without faces', async () => {
  await enter(createClient(service.url), album.albumPassword)
  await visit(owner)
  expect(service.context.faces.prepare).not.toHaveBeenCalled()
})

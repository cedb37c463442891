import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { appOfFile } from '../testing/app-of-file.ts'
import { createClient, formOf, readSample, type TestClient } from '../testing/client.ts'
import { insertIndexedPhotos } from '../testing/indexed-photos.ts'
import { waitUntil } from '../testing/wait.ts'

// No worker matches the selfies; the album only has rows of indexed photos.
const service = await appOfFile({ work: false })
const selfie = await readSample(1)
let owner: TestClient
let ownerKey: string
let albumId: string

beforeEach(async () => {
  await service.database.db.deleteFrom('submissions').execute()
  await service.context.jobs.boss.deleteAllJobs('match-selfie')
  owner = createClient(service.url)
  const album = await owner.createAlbum()
  ownerKey = album.ownerKey
  albumId = (await owner.get(`/api/albums/by-name/${album.albumName}`)).body.album.id
  await insertIndexedPhotos(service.database.db, albumId, 1)
})

const submissions = () => service.database.db.selectFrom('submissions').selectAll().execute()
const storedFiles = async () => {
  const entries = await readdir(join(service.dataDir, 'files'), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile())
}

test('a selfie is refused for an album named only by its public id, and without a key in a session that may see no album', async () => {
  const stranger = createClient(service.url)
  expect((await stranger.submitSelfie(selfie, { userAlbumId: albumId })).body.message).toMatch(/password/)
  expect((await stranger.submitSelfie(selfie)).body.message).toBe('Please open an album first')
})

describe('a selfie that is not matched at once', () => {
  test('leads to its results page, which is not processed yet', async () => {
    const { status, body } = await owner.submitSelfie(selfie)
    const { id } = (await submissions())[0]!
    expect({ status, body }).toEqual({ status: 200, body: { redirectTo: `/selfie/results/${id}` } })
    const results = await owner.get(`/api/results/${id}`)
    expect(results.body).toEqual({ processed: false, totalMatches: 0, photos: [] })
    expect((await owner.get(`/api/photos/${id}`)).body).toEqual({ photos: [] })
    expect(await owner.delete(`/api/submissions/${id}`)).toMatchObject({ status: 200 })
    expect(await storedFiles()).toEqual([])
  })

  test('is not waited for after its visitor has left', async () => {
    const leave = await sendUntilStored()
    const { id: abandoned } = (await submissions())[0]!
    await leave()

    // If the first request were still waiting, it would now delete its submission, like the second one.
    const staying = owner.submitSelfie(selfie)
    await waitUntil('the second selfie', async () => (await submissions()).length === 2)
    await service.database.db.updateTable('submissions').set({ outcome: 'no_face' }).execute()
    expect((await staying).body).toEqual({ redirectTo: '/selfie/no-results' })
    // Longer than the pauses in which one asks for the outcome.
    await pause(300)
    expect(await submissions()).toMatchObject([{ id: abandoned }])
  })

  /** Sends the selfie.
   *  @returns a function that hangs up and waits until the server has noticed */
  async function sendUntilStored(): Promise<() => Promise<unknown>> {
    const arrived = once(service.app.server, 'request')
    const leaving = new AbortController()
    const body = formOf({ photo: selfie, userAlbumId: ownerKey })
    const { signal } = leaving
    fetch(`${service.url}/api/submit-photo`, { method: 'POST', body, signal }).catch(() => {})
    const [{ socket }] = (await arrived) as [IncomingMessage]
    await waitUntil('the selfie', async () => (await submissions()).length === 1)
    return () => {
      leaving.abort()
      return once(socket, 'close')
    }
  }
})

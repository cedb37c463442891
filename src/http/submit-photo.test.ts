import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { request } from 'node:http'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { RATE_LIMITS } from '../albums/rate-limits.ts'
import { appOfFile } from '../testing/app-of-file.ts'
import { createClient, readSample, type TestClient } from '../testing/client.ts'
import { insertIndexedPhotos } from '../testing/indexed-photos.ts'
import { waitUntil } from '../testing/wait.ts'

// No worker matches the selfies; the album only has rows of indexed photos.
const selfies = { ...RATE_LIMITS.selfie, ofSession: 5 }
const service = await appOfFile({ work: false, limits: { ...RATE_LIMITS, selfie: selfies } })
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

describe('a selfie is refused', () => {
  test('without a file, with an empty one, and with text instead of a file', async () => {
    for (const photo of ['', 'me.jpg', new Blob([])]) {
      const form = new FormData()
      form.append('photo', photo)
      const answer = await owner.postForm('/api/submit-photo', form)
      expect([answer.status, answer.body.message]).toEqual([400, 'Please select a photo file'])
    }
  })

  test('for an album named only by its public id, and without a key in a session that may see no album', async () => {
    const stranger = createClient(service.url)
    expect((await stranger.submitSelfie(selfie, { userAlbumId: albumId })).body.message).toMatch(/password/)
    expect((await stranger.submitSelfie(selfie)).body.message).toBe('Please open an album first')
  })

  test('when the same visitor has sent too many, also such as no decoder reads', async () => {
    for (let sent = 0; sent < 5; sent++)
      expect((await owner.submitSelfie(Buffer.from('just words'))).status).toBe(415)
    const { status, body, headers } = await owner.submitSelfie(selfie, { userAlbumId: ownerKey })
    expect([status, body.message]).toEqual([429, expect.stringContaining('Too many searches')])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  })
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

  /** Sends the selfie on a separate connection.
   *  @returns a function that hangs up and waits until the server has noticed */
  async function sendUntilStored(): Promise<() => Promise<unknown>> {
    const form = new FormData()
    form.append('photo', new Blob([new Uint8Array(selfie)]), 'selfie.jpg')
    form.append('userAlbumId', ownerKey)
    const encoded = new Response(form)
    const headers = { 'content-type': encoded.headers.get('content-type')! }
    const connected = once(service.app.server, 'connection')
    const call = request(`${service.url}/api/submit-photo`, { method: 'POST', agent: false, headers })
    // The call fails when it is hung up.
    call.on('error', () => {})
    call.end(Buffer.from(await encoded.arrayBuffer()))
    const [socket] = (await connected) as [Socket]
    await waitUntil('the selfie', async () => (await submissions()).length === 1)
    return () => {
      call.destroy()
      return once(socket, 'close')
    }
  }
})

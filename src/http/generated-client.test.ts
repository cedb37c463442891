import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { readSample } from '../testing/client.ts'
import { createGeneratedClient, type GeneratedClient } from '../testing/generated-client.ts'
import { SAMPLES } from '../testing/sample-photos.ts'
import { newSelfie } from '../testing/selfie.ts'
import { waitUntil } from '../testing/wait.ts'

let service: TestApp
let owner: GeneratedClient
let guest: GeneratedClient

beforeAll(async () => {
  service = await startTestApp()
  owner = await createGeneratedClient(service.url)
  guest = await createGeneratedClient(service.url)
})
afterAll(() => service?.close())

const fileOf = (bytes: Buffer, name: string) => new File([new Uint8Array(bytes)], name)

/** A face in sample 1 with a margin around it. */
async function selfie(): Promise<File> {
  const crop = sharp(await readSample(1)).extract({ left: 340, top: 270, width: 330, height: 400 })
  return fileOf(await crop.jpeg().toBuffer(), 'selfie.jpg')
}

async function widthOf(url: string): Promise<number> {
  const response = await fetch(url)
  expect(response.status).toBe(200)
  return (await sharp(Buffer.from(await response.arrayBuffer())).metadata()).width
}

describe('a client generated from the document alone', () => {
  let ownerKey: string
  let albumName: string
  let albumId: string
  let password: string

  test('creates an album, uploads photos, and waits until they are indexed', async () => {
    const input = { email: 'owner@example.com', albumName: 'Generated party', displayName: 'Generated party' }
    const created = await owner.call('albumsCreate', {}, input)
    expect(created.status).toBe(200)
    ownerKey = created.body.userAlbum.id
    albumName = created.body.userAlbum.albumName

    const photos = await Promise.all(
      SAMPLES.map(async (number) => fileOf(await readSample(number), `sample${number}.jpg`)),
    )
    const notes = fileOf(Buffer.from('no photo'), 'notes.jpg')
    const upload = { totalIntendedPhotos: 7, batchNumber: 1, totalBatches: 1, photos: [...photos, notes] }
    const uploaded = await owner.call('uploadPhotos', { userAlbumId: ownerKey }, upload)
    expect(uploaded).toMatchObject({ status: 200, body: { successful: 6, failed: 1 } })

    const finished = await owner.call('albumsFinishUpload', { id: ownerKey })
    expect(finished.body).toMatchObject({ totalPhotos: 6, isUploadingToS3: false })
    await waitUntil('completion', async () => {
      return (await owner.call('albumsProgress', { id: ownerKey })).body.isCompleted
    })
    const coverage = await owner.call('albumsCoverage', { id: ownerKey })
    expect(coverage.body).toMatchObject({ photosSearchable: 6, facesFound: 22, photosWithoutFace: [] })
  })

  test('reads the password in the session of the owner', async () => {
    const { body } = await owner.call('albumsByName', { albumName })
    expect(body.album).toMatchObject({ albumName, isOwner: true })
    password = body.album.albumPassword
    albumId = body.album.id
  })

  test('finds the album in the public list, until its owner takes it off', async () => {
    const list = async () => (await owner.call('albumsList', { limit: 10 })).body
    expect(await list()).toEqual([expect.objectContaining({ albumName })])
    const { body } = await owner.call('albumsSetListed', { id: ownerKey }, { isListed: false })
    expect(body).toEqual({ isListed: false })
    expect(await list()).toEqual([])
  })

  test('changes the address of the letters', async () => {
    const email = 'new@example.com'
    const { body } = await owner.call('albumsChangeLetterAddress', { id: ownerKey }, { email })
    expect(body.waiting.address).toBe('n…@example.com')
    expect((await owner.call('albumsLetterAddress', { id: ownerKey })).body).toEqual(body)
  })

  test('changes the settings of the album', async () => {
    const { body } = await owner.call('albumsChangeSettings', { id: ownerKey }, { browsing: 'on' })
    expect(body).toEqual({ browsing: 'on', consentTick: 'off' })
    expect((await owner.call('albumsSettings', { id: ownerKey })).body).toEqual(body)
  })

  test('renames the album, and deletes none of its photos', async () => {
    const name = { displayName: 'Renamed' }
    expect((await owner.call('albumsRename', { id: ownerKey }, name)).body).toEqual(name)
    const { body } = await owner.call('albumsDeletePhotos', { id: ownerKey }, { photoIds: [albumId] })
    expect(body).toEqual({ photosDeleted: 0 })
  })

  test('enters as a guest, searches, and downloads a photo', async () => {
    const status = await guest.call('albumsAuthStatus', { albumName })
    expect(status.body).toMatchObject({ albumExists: true, isAuthenticated: false })
    expect((await guest.call('albumsByName', { albumName })).status).toBe(401)
    expect((await guest.call('albumsAuthenticate', { albumName }, { password: 'guess' })).status).toBe(401)
    expect((await guest.call('albumsAuthenticate', { albumName }, { password })).status).toBe(200)
    expect((await guest.call('albumsByName', { albumName })).body.album.isOwner).toBe(false)
    expect((await guest.call('albumsProgress', { id: albumId })).body.isCompleted).toBe(true)

    const found = await guest.call('searchInAlbum', {}, { photo: [await selfie()], albumName })
    expect(found.body.photos[0].filename).toBe('sample1.jpg')
    expect(await widthOf(found.body.photos[0].downloadUrl)).toBe(1920)
    expect(await widthOf(found.body.photos[0].thumbUrl)).toBe(640)

    const addresses = found.body.photos.map((photo: { downloadUrl: string }) => photo.downloadUrl)
    const zip = await guest.call('zipsCreate', {}, { photos: addresses })
    expect(zip.body.parts[0]).toMatchObject({ photos: addresses.length })
    expect((await fetch(zip.body.parts[0].url)).headers.get('content-type')).toBe('application/zip')
  })

  test('browses all photos in pages', async () => {
    const first = (await guest.call('albumsBrowse', { albumName, limit: 4 })).body
    const rest = (await guest.call('albumsBrowse', { albumName, limit: 4, cursor: first.nextCursor })).body
    const photos = [...first.photos, ...rest.photos]
    expect(photos.map(({ filename }) => filename)).toEqual(SAMPLES.map((number) => `sample${number}.jpg`))
    expect(first.totalPhotos).toBe(6)
    expect(rest.nextCursor).toBeUndefined()
  })

  test.each([
    ['the owner key alone', () => createGeneratedClient(service.url), () => ({ userAlbumId: ownerKey })],
    ['the session of a guest', async () => guest, () => ({})],
  ])('submits a selfie with %s, and gets its results until it deletes them', async (_, client, fields) => {
    const visitor = await client()
    const form = { photo: await selfie(), source: 'homepage', ...fields() }
    const { body } = await visitor.call('submitPhoto', {}, form)
    const id = body.redirectTo.replace('/selfie/results/', '')
    const results = await waitUntil('the results', async () => {
      const { body } = await visitor.call('submissionsResults', { id })
      return body.processed && body
    })
    expect(results.photos[0].filename).toBe('sample1.jpg')
    expect(await widthOf(results.photos[0].downloadUrl)).toBe(1920)
    const { body: all } = await visitor.call('submissionsPhotos', { id })
    expect(all.photos).toHaveLength(results.totalMatches)
    expect((await visitor.call('submissionsDelete', { id })).status).toBe(200)
    expect((await visitor.call('submissionsResults', { id })).status).toBe(404)
  })

  test('asks for letters about new photos of a guest, and ends them', async () => {
    const search = { photo: await selfie(), albumName, remember: 'true' }
    const { ticket } = (await guest.call('searchInAlbum', {}, search)).body
    const request = { email: 'guest@example.com', ticket, consent: true }
    const added = await guest.call('albumsAddAlert', { albumName }, request)
    expect(added.status).toBe(200)
    const end = () => guest.call('alertsEnd', {}, { token: added.body.endToken })
    expect((await end()).body).toEqual({ hadEnded: false })
    expect((await end()).body).toEqual({ hadEnded: true })
  })

  test('opts a guest out, so that the same selfie finds no photo, and undoes it', async () => {
    const picture = await newSelfie(Buffer.from(await (await selfie()).arrayBuffer()))
    const search = async () =>
      (await guest.call('searchInAlbum', {}, { photo: [fileOf(picture, 'new.jpg')], albumName })).body
    const { faces } = (await search()).optOut
    const { status, body } = await guest.call('albumsOptOut', { albumName }, { faces, hidePhotos: false })
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { faces: 1, state: 'hidden', photosToHide: 0 },
    })
    expect((await search()).totalMatches).toBe(0)
    expect((await owner.call('albumsCoverage', { id: ownerKey })).body).toMatchObject({
      facesFound: 22,
      facesOptedOut: 1,
    })
    const { receipt } = body
    expect((await guest.call('optOutsRead', {}, { receipt })).body).toMatchObject({
      state: 'hidden',
      albumName,
    })
    expect((await guest.call('optOutsUndo', {}, { receipt })).body).toMatchObject({ state: 'undone' })
    expect((await search()).totalMatches).toBe(1)
  })

  test('gets the described errors', async () => {
    const stranger = await createGeneratedClient(service.url)
    const noPhoto = fileOf(Buffer.from('words'), 'words.jpg')
    const blank = sharp({ create: { width: 400, height: 400, channels: 3, background: '#789' } }).jpeg()
    const noFace = fileOf(await blank.toBuffer(), 'wall.jpg')
    const search = (client: GeneratedClient, photo: File) =>
      client.call('searchInAlbum', {}, { photo: [photo], albumName })

    expect((await stranger.call('albumsCreate', {}, { email: 'x' })).status).toBe(400)
    expect((await search(stranger, noFace)).status).toBe(401)
    expect((await stranger.call('submitPhoto', {}, { photo: noFace })).status).toBe(401)
    expect((await guest.call('albumsChangePassword', { id: albumId })).status).toBe(403)
    expect((await guest.call('albumsProgress', { id: 'nothing' })).status).toBe(404)
    expect((await guest.call('albumsFoundPhotos', { albumName, page: 'x' })).status).toBe(400)
    expect((await search(guest, noPhoto)).status).toBe(415)
    expect((await search(guest, noFace)).status).toBe(422)
    const refused = await owner.call('uploadPhotos', { userAlbumId: ownerKey }, { photos: [noPhoto] })
    expect(refused).toMatchObject({ status: 415, body: { successful: 0, failed: 1 } })
  })

  test('changes the password and the owner key, which ends the session of the guest and the former key, erases the album, and logs out', async () => {
    const changed = await owner.call('albumsChangePassword', { id: ownerKey })
    expect(changed.body.albumPassword).not.toBe(password)
    expect((await guest.call('albumsByName', { albumName })).status).toBe(401)
    const renewed = await owner.call('albumsRenewOwnerKey', { id: ownerKey })
    expect(renewed.body.ownerKey).not.toBe(ownerKey)
    expect((await owner.call('albumsErase', { id: ownerKey })).status).toBe(404)
    const erased = await owner.call('albumsErase', { id: renewed.body.ownerKey })
    expect(erased.body).toEqual({ rowsRemaining: 0, filesRemaining: 0, facesRemaining: 0 })
    expect((await owner.call('albumsLogOut', {}, {})).body).toEqual({ albumsLeft: 1 })
  })

  test('cannot set up mail without being the maintainer', async () => {
    expect((await owner.call('mailSetupAuthUrl')).status).toBe(401)
    expect((await owner.call('mailSetupHelperAuthUrl')).status).toBe(401)
    expect((await owner.call('mailSetupExchangeCode', {}, { code: 'x' })).status).toBe(401)
  })

  test('has made every call that the document describes', () => {
    const called = new Set([...owner.called, ...guest.called])
    expect(owner.operationIds.filter((id) => !called.has(id))).toEqual([])
  })
})

import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { photoKey } from '../../src/photos/renditions.ts'
import type { Upload } from '../../src/testing/client.ts'
import { insertIndexedPhotos } from '../../src/testing/indexed-photos.ts'
import { samplePath } from '../../src/testing/sample-photos.ts'
import { newSelfie, selfieFrom } from '../../src/testing/selfie.ts'
import type { OwnedAlbum, Site } from './site.ts'
import { seesToast, type Visitor } from './visitor.ts'

/** What Playwright takes as a chosen file. */
export interface ChosenFile {
  name: string
  mimeType: string
  buffer: Buffer
}

/** A face of sample 1 as a phone would send it. The sample has to be indexed in some album of the site. */
export async function selfieOfSample1(site: Site): Promise<ChosenFile> {
  const photo = await readFile(samplePath(1))
  const buffer = await selfieFrom(site.database.db, 'sample1.jpg', photo)
  return { name: 'selfie.jpg', mimeType: 'image/jpeg', buffer }
}

/** Copies of a photo with the same faces. Their bytes differ, and every second one is mirrored. */
export function variants(photo: Buffer, count: number): Promise<Upload[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, index) => ({
      name: `IMG_${4210 + index}.jpg`,
      bytes: await sharp(photo)
        .resize({ width: 1200 - index })
        .flop(index % 2 === 1)
        .jpeg()
        .toBuffer(),
    })),
  )
}

/** Another picture of the person of a selfie: one that the album does not have, so that the person can opt out with it. */
export async function anotherSelfie(selfie: ChosenFile): Promise<ChosenFile> {
  return { ...selfie, buffer: await newSelfie(selfie.buffer) }
}

/** Adds photos `1.jpg`, `2.jpg` … to an album, copies of one that it holds: the same picture with the same faces, without the
 *  time that indexing takes. */
export async function addCopies(site: Site, album: OwnedAlbum, count: number): Promise<void> {
  const { db } = site.database
  const { storage } = site.context
  const { id, album_id, sha256, placeholder } = await db
    .selectFrom('photos')
    .innerJoin('albums', 'albums.id', 'photos.album_id')
    .selectAll('photos')
    .where('albums.slug', '=', album.albumName)
    .orderBy('photos.filename', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  const faces = await db.selectFrom('faces').selectAll().where('photo_id', '=', id).execute()
  const thumb = await storage.read(photoKey(album_id, sha256, 'thumb'))
  const ids = await insertIndexedPhotos(db, album_id, count)
  await db.updateTable('photos').set({ placeholder }).where('id', 'in', ids).execute()
  const copies = await db.selectFrom('photos').select(['id', 'sha256']).where('id', 'in', ids).execute()
  for (const copy of copies) {
    await storage.write(photoKey(album_id, copy.sha256, 'thumb'), thumb, 'image/webp')
    const its = faces.map(({ number: _, ...face }) => ({ ...face, id: randomUUID(), photo_id: copy.id }))
    await db.insertInto('faces').values(its).execute()
  }
}

/** Fills an album with rows of photos that can be searched, `1.jpg`, `2.jpg` … They have no faces and no files. */
export async function fillWithRows(site: Site, { albumName }: OwnedAlbum, count: number): Promise<void> {
  const { db } = site.database
  const { id } = await db
    .updateTable('albums')
    .set({ completed_at: new Date() })
    .where('slug', '=', albumName)
    .returning('id')
    .executeTakeFirstOrThrow()
  await insertIndexedPhotos(db, id, count)
}

/** Goes to an album's page and through its gate. */
export async function enterAsGuest({ page }: Visitor, album: OwnedAlbum): Promise<void> {
  await page.goto(`/album/${album.albumName}`)
  await givePassword(page, album.password)
  await seesToast(page, 'Access granted!', `Welcome to ${album.displayName}`)
}

export async function givePassword(page: Page, password: string): Promise<void> {
  await page.getByLabel('Album password').fill(password)
  await page.getByRole('button', { name: 'Access Album' }).click()
}

/** Goes to an album's page in the session that owns it. */
export async function enterAsOwner(visitor: Visitor, album: OwnedAlbum): Promise<void> {
  await visitor.signInAs(album.owner)
  await visitor.page.goto(`/album/${album.albumName}`)
}

export async function choose(page: Page, file: ChosenFile): Promise<void> {
  await page.locator('input[type=file]').first().setInputFiles(file)
}

export async function searchWith(page: Page, selfie: ChosenFile): Promise<void> {
  await choose(page, selfie)
  await page.getByRole('button', { name: 'Search Photos' }).click()
}

/** Goes through an album's gate and searches it. */
export async function searchAsGuest(visitor: Visitor, album: OwnedAlbum, selfie: ChosenFile): Promise<void> {
  await enterAsGuest(visitor, album)
  await searchWith(visitor.page, selfie)
}

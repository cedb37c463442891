import { join } from 'node:path'
import type { Page } from 'playwright-core'
import sharp, { type Region } from 'sharp'
import type { SearchOutput } from '../../src/contract/search.ts'
import { readSample, type Upload } from '../../src/testing/client.ts'
import { type ChosenFile, enterAsGuest, searchWith } from './album-visits.ts'
import { UPLOADS } from './organiser.ts'
import { type Box, boxesIn, faceId } from './search-answers.ts'
import type { OwnedAlbum } from './site.ts'
import { siteTest } from './site-test.ts'
import { sees } from './visitor.ts'

/** The pictures of README and docs/using.md, which `npm run screenshots` takes anew. They show the sample photos of the
 *  demo, and parts of them as other photos of the same people. */
const DOCS = join(import.meta.dirname, '../../docs')

/** Parts of sample photos with the guest, in pixels of the samples, which are 1,920 wide. */
const OF_THE_GUEST: [sample: number, part?: Region][] = [
  [3],
  [1],
  [3, { left: 820, top: 60, width: 1080, height: 760 }],
  [1, { left: 1080, top: 60, width: 800, height: 560 }],
  [3, { left: 380, top: 150, width: 1060, height: 780 }],
  [3, { left: 900, top: 90, width: 560, height: 740 }],
  [1, { left: 700, top: 120, width: 1150, height: 800 }],
]
const OF_OTHERS: [sample: number, part?: Region][] = [[2], [4], [5], [6]]
const SELFIE: [sample: number, part: Region] = [3, { left: 1000, top: 110, width: 420, height: 520 }]

const test = siteTest().extend('party', { scope: 'file' }, async ({ site }): Promise<OwnedAlbum> => {
  const party = await site.createAlbum('Mira & Jonas, 20 June')
  await site.fill(party, await pictures([...OF_THE_GUEST, ...OF_OTHERS]))
  return party
})
test.beforeAll(({ party }) => void party)

test('results-page.png', async ({ visit, party }) => {
  const visitor = await visit({ viewport: { width: 1280, height: 800 } })
  await enterAsGuest(visitor, party)
  await searchWith(visitor.page, await selfie())
  await sees(visitor.page, `Found ${OF_THE_GUEST.length} Photos!`)
  await writePicture(visitor.page, 'results-page.png')
})

test('is-this-you.png', async ({ visit, site, party }) => {
  const visitor = await visit({ viewport: { width: 1024, height: 720 } })
  const { page } = visitor
  // The sample photos are so alike that the service is sure. So the picture asks about two photos with nobody else.
  const boxes = new Map<string, Box>()
  for (const filename of ['IMG_4213.jpg', 'IMG_4215.jpg']) {
    const [box] = await boxesIn(site.database.db, filename)
    boxes.set(filename, box!)
  }
  await page.route('**/api/search-in-album', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: askingAbout(boxes, await response.json()) })
  })
  await enterAsGuest(visitor, party)
  await searchWith(page, await selfie())
  const yes = page.getByRole('button', { name: "Yes, that's me" }).first()
  await yes.evaluate((button) => button.scrollIntoView({ block: 'center' }))
  await writePicture(page, 'is-this-you.png')
})

test('upload.png', async ({ visit, site }) => {
  const album = await site.createAlbum('Summer Party')
  const visitor = await visit({ viewport: { width: 1024, height: 720 } })
  const { page } = visitor
  await visitor.becomeOrganiser({
    userEmail: 'mira@example.com',
    eventName: album.displayName,
    userAlbumId: album.ownerKey,
    userAlbumSlug: album.albumName,
  })
  let sent = 0
  // The second batch stays on its way.
  await page.route(UPLOADS, (route) => (++sent === 1 ? route.continue() : undefined))
  await page.goto('/bulk-upload')
  const photos = await pictures([...OF_OTHERS, ...OF_THE_GUEST, ...OF_OTHERS, ...OF_THE_GUEST], 640)
  await page.setInputFiles(
    'input[type=file]:not([webkitdirectory])',
    photos.map(({ name, bytes }) => ({ name, mimeType: 'image/jpeg', buffer: bytes })),
  )
  await page.getByRole('button', { name: /^Upload 22 Photos/ }).click()
  await page
    .getByText(/15 of 22/)
    .first()
    .waitFor()
  await page.mouse.move(0, 0)
  await writePicture(page, 'upload.png')
})

/** Parts of sample photos as files `IMG_4210.jpg`, `IMG_4211.jpg` … */
const pictures = (parts: [sample: number, part?: Region][], width = 1400): Promise<Upload[]> =>
  Promise.all(
    parts.map(async ([sample, part], index) => {
      const photo = sharp(await readSample(sample))
      // The sizes differ, so that no file is a copy of another one.
      const bytes = await (part ? photo.extract(part) : photo)
        .resize({ width: width - index })
        .jpeg()
        .toBuffer()
      return { name: `IMG_${4210 + index}.jpg`, bytes }
    }),
  )

async function selfie(): Promise<ChosenFile> {
  const [{ bytes }] = (await pictures([SELFIE])) as [Upload]
  return { name: 'selfie.jpg', mimeType: 'image/jpeg', buffer: bytes }
}

/** An answer that asks about some of its photos. */
function askingAbout(boxes: Map<string, Box>, answer: SearchOutput): SearchOutput {
  const photos = answer.photos.filter(({ filename }) => !boxes.has(filename))
  const possible = answer.photos.flatMap((photo, place) => {
    const box = boxes.get(photo.filename)
    return box ? [{ ...photo, face: { id: faceId(place), box } }] : []
  })
  return { ...answer, photos, totalMatches: photos.length, possible }
}

/** Writes what the window shows, once its pictures are there. 256 colours make a fifth of the bytes. */
async function writePicture(page: Page, name: string): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.waitForFunction(() => !document.querySelector('[role=region] li[data-state=open]'))
  await page.waitForFunction(() => [...document.images].every((image) => image.complete))
  const picture = await page.screenshot({ animations: 'disabled' })
  await sharp(picture).png({ palette: true, effort: 10 }).toFile(join(DOCS, name))
}

import type { Route } from 'playwright-core'
import { tooManyPhotosInAlbum } from '../../src/albums/quota.ts'
import { HTTP_STATUS } from '../../src/errors.ts'
import { readSample, type Upload } from '../../src/testing/client.ts'
import { UPLOADS } from './organiser.ts'
import { type Stage, variants } from './stage.ts'
import { sees, type Visitor } from './visitor.ts'

export const JPEG = 'image/jpeg'

let photos: Promise<Upload[]> | undefined

/** Small photos: more than the preview shows, and more than one batch holds. */
export async function somePhotos() {
  const kind = async (number: number) => variants(await readSample(number), 5, 480)
  photos ??= Promise.all([2, 3, 4, 5, 6].map(kind)).then((kinds) =>
    kinds[0]!.flatMap((_, index) => kinds.map((kind) => kind[index]!)),
  )
  return (await photos).map(({ bytes }, index) => ({
    name: `DSC_${1000 + index}.jpg`,
    mimeType: JPEG,
    buffer: bytes,
  }))
}

export async function openBulkUpload({ page, becomeOrganiser }: Visitor, { fresh }: Stage): Promise<void> {
  await becomeOrganiser({
    userEmail: 'mira@example.com',
    eventName: fresh.displayName,
    userAlbumId: fresh.ownerKey,
    userAlbumSlug: fresh.albumName,
  })
  await page.goto('/bulk-upload')
  await sees(page, 'Drop photos or folders here')
}

export async function choosePhotos(visitor: Visitor, stage: Stage): Promise<void> {
  await openBulkUpload(visitor, stage)
  await visitor.page.setInputFiles('input[type=file]:not([webkitdirectory])', await somePhotos())
  await visitor.page.getByRole('button', { name: 'Upload 25 Photos' }).waitFor()
  await visitor.page.waitForFunction(() => document.querySelectorAll('li canvas, li img').length === 15)
}

export async function upload(visitor: Visitor, stage: Stage): Promise<void> {
  await choosePhotos(visitor, stage)
  await visitor.page.getByRole('button', { name: 'Upload 25 Photos' }).click()
}

/** Prevents the redirect after an upload: the code of the next page never loads. */
export const stayHere = ({ page }: Visitor) => page.route('**/assets/upload-success*', () => {})

/** The service has stored this many photos. */
export const stored = (route: Route, count: number) =>
  route.fulfill({
    json: {
      successful: count,
      failed: 0,
      files: Array.from({ length: count }, (_, index) => ({
        filename: `DSC_${1000 + index}.jpg`,
        status: 'stored',
      })),
    },
  })

/** The service has refused this many photos, because the album is full. */
export const albumIsFull = (route: Route, count: number) => {
  const { code, message } = tooManyPhotosInAlbum({ photos: 100_000, bytes: 500e9 })
  return route.fulfill({
    status: HTTP_STATUS[code],
    json: {
      message,
      error: message,
      code,
      successful: 0,
      failed: count,
      files: Array.from({ length: count }, (_, index) => ({
        filename: `DSC_${1000 + index}.jpg`,
        status: 'refused',
        message,
      })),
    },
  })
}

/** The first of two batches succeeds. The scene answers the second. */
export async function uploadHalf(
  visitor: Visitor,
  stage: Stage,
  second: (route: Route) => unknown = () => {},
): Promise<void> {
  let sent = 0
  await visitor.page.route(UPLOADS, (route) => (++sent === 1 ? stored(route, 15) : second(route)))
  await upload(visitor, stage)
  await visitor.page
    .getByText(/15 of 25/)
    .first()
    .waitFor()
}

import { UPLOADS } from './organiser.ts'
import type { Scene } from './scene.ts'
import {
  albumIsFull,
  choosePhotos,
  JPEG,
  openBulkUpload,
  stayHere,
  upload,
  uploadHalf,
} from './scene-uploads.ts'
import { sees, seesToast } from './visitor.ts'

export const UPLOAD: Scene[] = [
  { name: 'bulk-upload', open: openBulkUpload },
  { name: 'bulk-upload-chosen', open: choosePhotos },
  {
    name: 'bulk-upload-blocked-many',
    async open(visitor, stage) {
      await openBulkUpload(visitor, stage)
      const large = { name: 'Large.jpg', mimeType: JPEG, buffer: Buffer.alloc(6_000_000) }
      const films = Array.from({ length: 299 }, (_, index) => ({
        name: `film-${index}.mp4`,
        mimeType: 'video/mp4',
        buffer: Buffer.from('film'),
      }))
      await visitor.page.setInputFiles('input[type=file]:not([webkitdirectory])', [large, ...films])
      await visitor.page.getByRole('heading', { name: '300 files blocked' }).waitFor()
      await visitor.page.getByText(/^299 files:/).click()
    },
  },
  { name: 'bulk-upload-uploading', open: uploadHalf },
  {
    name: 'bulk-upload-leaving',
    async open(visitor, stage) {
      await visitor.page.route(UPLOADS, () => {})
      await upload(visitor, stage)
      await visitor.page.getByRole('link', { name: 'Home' }).first().click()
      await visitor.page.getByRole('dialog').or(visitor.page.getByRole('alertdialog')).waitFor()
    },
  },
  {
    name: 'bulk-upload-busy',
    async open(visitor, stage) {
      await visitor.page.route(UPLOADS, (route) =>
        route.fulfill({
          status: 429,
          headers: { 'retry-after': '300' },
          json: { error: 'Too many calls', code: 'TOO_MANY_REQUESTS' },
        }),
      )
      await upload(visitor, stage)
      await visitor.page
        .getByText(/goes on by itself/)
        .first()
        .waitFor()
    },
  },
  {
    name: 'bulk-upload-album-full',
    async open(visitor, stage) {
      let sent = 0
      await visitor.page.route(UPLOADS, (route) => albumIsFull(route, ++sent === 1 ? 15 : 10))
      await upload(visitor, stage)
      await seesToast(visitor.page, 'Upload failed')
    },
  },
  {
    name: 'bulk-upload-partial',
    async open(visitor, stage) {
      await stayHere(visitor)
      await uploadHalf(visitor, stage, (route) =>
        route.fulfill({ status: 404, json: { error: 'Gone', code: 'NOT_FOUND' } }),
      )
      await sees(visitor.page, '15 photos uploaded')
    },
  },
]

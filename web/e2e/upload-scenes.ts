import { rm } from 'node:fs/promises'
import { diskAlmostFull } from '../../src/storage/free-disk.ts'
import { UPLOADS } from './organiser.ts'
import { refuse, type Scene } from './scene.ts'
import {
  albumIsFull,
  chooseFolderOfTen,
  choosePhotos,
  JPEG,
  openBulkUpload,
  somePhotos,
  stayHere,
  stored,
  upload,
  uploadHalf,
} from './scene-uploads.ts'
import { sees, seesToast } from './visitor.ts'

export const UPLOAD: Scene[] = [
  { name: 'bulk-upload', open: openBulkUpload },
  { name: 'bulk-upload-chosen', open: choosePhotos },
  {
    name: 'bulk-upload-blocked',
    async open(visitor, stage) {
      await openBulkUpload(visitor, stage)
      await visitor.page.setInputFiles('input[type=file]:not([webkitdirectory])', [
        { name: 'IMG_0001.HEIC', mimeType: 'image/heic', buffer: Buffer.from('heic') },
        { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('notes') },
        { name: 'party.mp4', mimeType: 'video/mp4', buffer: Buffer.from('film') },
        { name: 'Large.jpg', mimeType: JPEG, buffer: Buffer.alloc(6_000_000) },
      ])
      await seesToast(visitor.page, '4 files blocked')
      await visitor.page.getByRole('button', { name: 'Make them smaller and upload all' }).waitFor()
    },
  },
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
  {
    name: 'bulk-upload-shrinking',
    async open(visitor, stage) {
      // The worker never loads, so the first photo stays the current one.
      await visitor.page.route('**/assets/shrink-worker*', () => {})
      await openBulkUpload(visitor, stage)
      await visitor.page.setInputFiles('input[type=file]:not([webkitdirectory])', [
        ...(await somePhotos()),
        { name: 'Large.jpg', mimeType: JPEG, buffer: Buffer.alloc(6_000_000) },
      ])
      await visitor.page.getByRole('button', { name: 'Make them smaller and upload all' }).click()
      await sees(visitor.page, 'Making photo 1 of 1 smaller')
    },
  },
  { name: 'bulk-upload-uploading', open: uploadHalf },
  {
    name: 'bulk-upload-offline',
    async open(visitor, stage) {
      await uploadHalf(visitor, stage, async (route) => {
        await visitor.context.setOffline(true)
        await route.abort('internetdisconnected')
      })
      await sees(visitor.page, 'You are offline. The upload goes on by itself when the connection is back.')
    },
  },
  {
    name: 'bulk-upload-interrupted',
    async open(visitor, stage) {
      await uploadHalf(visitor, stage)
      visitor.page.once('dialog', (dialog) => void dialog.accept())
      await visitor.page.reload()
      await sees(visitor.page, 'The last upload stopped at 15 of 25 photos')
    },
  },
  {
    name: 'bulk-upload-unreadable',
    async open(visitor, stage) {
      const { page } = visitor
      await openBulkUpload(visitor, stage)
      const folder = await chooseFolderOfTen(visitor)
      await rm(folder.paths('DSC_1006.jpg')[0]!)
      // A request that is answered here never reads the file, so it cannot fail by itself.
      let sent = 0
      await page.route(UPLOADS, (route) => (++sent === 1 ? route.abort() : stored(route, 9)))
      await stayHere(visitor)
      await page.getByRole('button', { name: 'Upload 10 Photos' }).click()
      await sees(page, '1 photo not uploaded')
      await folder.remove()
    },
  },
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
        route.fulfill({ status: 429, headers: { 'retry-after': '300' }, json: { error: 'Too many calls' } }),
      )
      await upload(visitor, stage)
      await visitor.page
        .getByText(/goes on by itself/)
        .first()
        .waitFor()
    },
  },
  {
    name: 'bulk-upload-disk-almost-full',
    async open(visitor, stage) {
      await refuse(visitor.page, UPLOADS, diskAlmostFull(), 60)
      await upload(visitor, stage)
      await visitor.page.getByText(/^The disk of this service is almost full/).waitFor()
    },
  },
  {
    name: 'bulk-upload-disk-stays-full',
    async open(visitor, stage) {
      await refuse(visitor.page, UPLOADS, diskAlmostFull(), 3600)
      await upload(visitor, stage)
      await seesToast(visitor.page, 'Upload Failed')
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
    name: 'bulk-upload-album-filled',
    async open(visitor, stage) {
      await stayHere(visitor)
      await uploadHalf(visitor, stage, (route) => albumIsFull(route, 10))
      await sees(visitor.page, '15 photos uploaded')
    },
  },
  {
    name: 'bulk-upload-stopped',
    async open(visitor, stage) {
      await visitor.page.route(UPLOADS, (route) => route.fulfill({ status: 404, json: { error: 'Gone' } }))
      await upload(visitor, stage)
      await seesToast(visitor.page, 'Upload Failed')
    },
  },
  {
    name: 'bulk-upload-partial',
    async open(visitor, stage) {
      await stayHere(visitor)
      await uploadHalf(visitor, stage, (route) => route.fulfill({ status: 404, json: { error: 'Gone' } }))
      await sees(visitor.page, '15 photos uploaded')
    },
  },
  {
    name: 'bulk-upload-already-there',
    async open(visitor, stage) {
      const { page } = visitor
      await page.route(UPLOADS, (route) => stored(route, 10))
      await stayHere(visitor)
      await openBulkUpload(visitor, stage)
      const folder = await chooseFolderOfTen(visitor)
      await page.getByRole('button', { name: 'Upload 10 Photos' }).click()
      await sees(page, '10 photos uploaded')
      await page.reload()
      await page.setInputFiles('input[webkitdirectory]', folder.path)
      await sees(page, 'All 10 photos are already in the album')
      await page.getByRole('button', { name: 'Continue' }).click()
      await sees(page, '10 photos are already in the album')
      await folder.remove()
    },
  },
]

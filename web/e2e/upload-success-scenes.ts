import { ONLY_JPEG_AND_PNG } from '../../src/contract/wording.ts'
import type { UploadRecord } from '../lib/saved-values.ts'
import type { Scene } from './scene.ts'
import { sees } from './visitor.ts'

const RECORD: UploadRecord = {
  photoCount: 1204,
  email: 'mira@example.com',
  albumName: 'Mira & Jonas, 20 June',
  albumSlug: 'mira-jonas-20-june',
}
const DAMAGED = [{ filename: 'DSC_1007.jpg', message: 'This photo is damaged.' }]
const NOT_SENT = Array.from({ length: 200 }, (_, index) => ({
  filename: `DSC_${1000 + index}.jpg`,
  message: 'It was not sent, because the upload ended early.',
}))

/** The page after an upload that left this record. */
const after = (name: string, record: UploadRecord, heading: string): Scene => ({
  name,
  async open({ page }) {
    await page.goto('/privacy-policy')
    await page.evaluate((saved) => localStorage.setItem('uploadSuccess', saved), JSON.stringify(record))
    await page.goto('/upload-success')
    await sees(page, heading)
  },
})

export const UPLOAD_SUCCESS: Scene[] = [
  after(
    'upload-success',
    {
      ...RECORD,
      thereBefore: 204,
      notStored: DAMAGED,
      blocked: [{ filename: 'film.mp4', message: ONLY_JPEG_AND_PNG }],
    },
    'Upload Started Successfully!',
  ),
  after(
    'upload-success-busy',
    {
      ...RECORD,
      stopped: {
        reason: 'busy',
        message:
          'The service is too busy and asks you to come back in 60 minutes. Photos that are uploaded are kept. Then choose the same photos again: only the missing ones will be sent.',
      },
      notStored: NOT_SENT,
      notStoredCount: 2396,
    },
    '2,396 photos are missing',
  ),
  after(
    'upload-success-album-gone',
    {
      ...RECORD,
      stopped: {
        reason: 'gone',
        message: 'This album no longer exists. Please create a new one.',
      },
      notStored: NOT_SENT,
      notStoredCount: 2396,
    },
    '2,396 photos are missing',
  ),
  after('upload-success-already-there', { ...RECORD, alreadyThere: true }, 'Already in the Album'),
]

import { ONLY_JPEG_AND_PNG } from '../../src/contract/wording.ts'
import type { UploadRecord } from '../lib/saved-values.ts'
import { type Scene, scene } from './scene.ts'
import { sees } from './visitor.ts'

const RECORD: UploadRecord = {
  photoCount: 1204,
  email: 'mira@example.com',
  albumName: 'Mira & Jonas, 20 June',
  albumSlug: 'mira-jonas-20-june',
  thereBefore: 204,
  stopped: {
    reason: 'busy',
    message:
      'The service is too busy and asks you to come back in 60 minutes. Photos that are uploaded are kept. Then choose the same photos again: only the missing ones will be sent.',
  },
  notStored: Array.from({ length: 200 }, (_, index) => ({
    filename: `DSC_${1000 + index}.jpg`,
    message: 'It was not sent, because the upload ended early.',
  })),
  notStoredCount: 2396,
  blocked: [{ filename: 'film.mp4', message: ONLY_JPEG_AND_PNG }],
}

export const UPLOAD_SUCCESS: Scene[] = [
  scene('upload-success', async ({ page }) => {
    await page.goto('/privacy-policy')
    await page.evaluate((saved) => localStorage.setItem('uploadSuccess', saved), JSON.stringify(RECORD))
    await page.goto('/upload-success')
    await sees(page, '2,396 photos are missing')
  }),
]

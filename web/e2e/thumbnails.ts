import type { Page } from 'playwright-core'
import sharp from 'sharp'

export const THUMBS = '**/photos/*/thumb?*'

/** All pictures of an address load. Whether the address is refused, the service says as always. */
async function answerPictures(page: Page, address: string): Promise<void> {
  const picture = { width: 64, height: 48, channels: 3, background: '#a86' } as const
  const body = await sharp({ create: picture }).webp().toBuffer()
  await page.route(address, (route) =>
    route.request().method() === 'GET'
      ? route.fulfill({ body, contentType: 'image/webp' })
      : route.fallback(),
  )
}

export const answerThumbnails = (page: Page) => answerPictures(page, THUMBS)
export const answerPreviews = (page: Page) => answerPictures(page, '**/photos/*/preview?*')

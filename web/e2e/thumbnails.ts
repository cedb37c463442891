import type { Page } from 'playwright-core'
import sharp from 'sharp'

export const THUMBS = '**/photos/*/thumb?*'

/** A small picture, as an answer for a thumbnail. */
export async function thumbnail(): Promise<{ body: Buffer; contentType: string }> {
  const picture = { width: 64, height: 48, channels: 3, background: '#a86' } as const
  return { body: await sharp({ create: picture }).webp().toBuffer(), contentType: 'image/webp' }
}

/** All thumbnails load. Whether their addresses are refused, the service says as always. */
export async function answerThumbnails(page: Page): Promise<void> {
  const answer = await thumbnail()
  await page.route(THUMBS, (route) =>
    route.request().method() === 'GET' ? route.fulfill(answer) : route.fallback(),
  )
}

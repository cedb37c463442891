import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect } from 'vitest'
import { type ChosenFile, enterAsOwner, searchWith, selfieOfSample1 } from './album-visits.ts'
import { siteTest } from './site-test.ts'

const test = siteTest()
  .extend('album', { scope: 'file' }, async ({ site }) => {
    const album = await site.createAlbum('Large Selfies')
    await site.fill(album, [1])
    return album
  })
  /** As a phone's camera writes it: 4,000 pixels high, lying in the file, with the mark that it stands. */
  .extend('selfie', { scope: 'file' }, async ({ site, album }): Promise<ChosenFile> => {
    const selfie = album && (await selfieOfSample1(site))
    const lying = await sharp(selfie.buffer).resize(3000, 4000, { fit: 'fill' }).rotate(270).toBuffer()
    const buffer = await sharp(lying).withMetadata({ orientation: 6 }).jpeg({ quality: 98 }).toBuffer()
    return { ...selfie, buffer }
  })

/** Keeps what the page puts into its form: Playwright does not see the files of a request. */
function keepSelfies(page: Page): Promise<unknown> {
  return page.addInitScript(() => {
    const { append } = FormData.prototype
    FormData.prototype.append = function (this: FormData, ...field: [string, Blob, string]) {
      if (field[0] === 'photo') Object.assign(window, { sentSelfie: field[1] })
      append.apply(this, field)
    } as FormData['append']
  })
}

async function sentBy(page: Page): Promise<Buffer> {
  const bytes = await page.evaluate(async () => {
    const { sentSelfie } = window as unknown as { sentSelfie: Blob }
    return [...new Uint8Array(await sentSelfie.arrayBuffer())]
  })
  return Buffer.from(bytes)
}

test('a selfie of a camera is sent upright and small, and finds its photo', async ({
  visitor,
  page,
  album,
  selfie,
}) => {
  await keepSelfies(page)
  await enterAsOwner(visitor, album)
  await searchWith(page, selfie)
  await page.getByRole('heading', { name: 'Found 1 Photo!' }).waitFor()
  const sent = await sentBy(page)
  expect(sent.length).toBeLessThan(selfie.buffer.length)
  const { width, height, orientation } = await sharp(sent).metadata()
  expect({ width, height, orientation }).toEqual({ width: 1500, height: 2000, orientation: undefined })
})

test('a browser that fills copies with noise sends the selfie as it is', async ({
  visitor,
  page,
  album,
  selfie,
}) => {
  await page.addInitScript(() => {
    const { convertToBlob } = OffscreenCanvas.prototype
    OffscreenCanvas.prototype.convertToBlob = function (options) {
      const context = this.getContext('2d')!
      context.fillStyle = 'grey'
      context.fillRect(0, 0, this.width, this.height)
      return convertToBlob.call(this, options)
    }
  })
  await keepSelfies(page)
  await enterAsOwner(visitor, album)
  await searchWith(page, selfie)
  await page.getByRole('heading', { name: 'Found 1 Photo!' }).waitFor()
  const sent = await sentBy(page)
  expect(sent.equals(selfie.buffer)).toBe(true)
})

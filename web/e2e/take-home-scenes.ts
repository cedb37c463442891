import type { Page } from 'playwright-core'
import type { ZipOutput } from '../../src/contract/zips.ts'
import { search } from './album-scenes.ts'
import { hang, type Scene, scene } from './scene.ts'
import type { Stage } from './stage.ts'
import { answerPreviews, answerZips, replaceShareSheet, type Sheet } from './take-home.ts'
import { sees, type Visitor } from './visitor.ts'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** The photos of a search, on a phone whose share sheet does this. */
async function findPhotos(visitor: Visitor, { party, selfie }: Stage, ...sheets: Sheet[]): Promise<Page> {
  const { page } = visitor
  if (sheets.length > 0) await replaceShareSheet(visitor, sheets)
  await answerPreviews(page)
  await search(visitor, party, selfie)
  await sees(page, 'Found 24 Photos!')
  return page
}

/** A desktop's browser has no button for all photos: they are selected first. */
async function saveAll(page: Page): Promise<void> {
  const isPhone = await page.evaluate(() => matchMedia('(pointer: coarse)').matches)
  if (isPhone) return await button(page, 'Save all to Photos').click()
  await button(page, 'Select').click()
  await button(page, 'All').click()
  await button(page, 'Share').click()
}

/** Zips of which nine photos are ready, and never more. */
async function prepareForEver(page: Page): Promise<void> {
  const data: ZipOutput = { photosReady: 9, photosTotal: 24, photosLeftOut: 0, parts: [] }
  await hang(page, '**/trpc/zips.create')
  await page.route('**/trpc/zips.create', (route) => route.fulfill({ json: { result: { data } } }), {
    times: 1,
  })
}

export const TAKE_HOME: Scene[] = [
  scene('take-home-selecting', async (visitor, stage) => {
    const page = await findPhotos(visitor, stage, 'takes')
    await button(page, 'Select').click()
    for (const place of [0, 3]) await page.locator('main li').nth(place).getByRole('checkbox').check()
    await sees(page, '2 selected')
  }),
  scene('take-home-zip-preparing', async (visitor, stage) => {
    const page = await findPhotos(visitor, stage)
    await prepareForEver(page)
    await button(page, 'Download all 24').click()
    await sees(page, 'Preparing 9 of 24 photos')
  }),
  scene('take-home-zip-parts', async (visitor, stage) => {
    const page = await findPhotos(visitor, stage)
    await answerZips(page, 3)
    await button(page, 'Download all 24').click()
    await sees(page, 'Your photos are in 3 files')
  }),
  scene('take-home-save-refused', async (visitor, stage) => {
    const page = await findPhotos(visitor, stage, 'refuses')
    await saveAll(page)
    await button(page, 'Download as a zip instead').waitFor()
  }),
]

import type { Page } from 'playwright-core'
import { choose, enterAsOwner, searchWith } from './album-visits.ts'
import { fail, type Scene, scene } from './scene.ts'
import type { Stage } from './stage.ts'
import { sees, type Visitor } from './visitor.ts'

const file = ({ name, bytes }: { name: string; bytes: Buffer }) => ({
  name,
  mimeType: 'image/jpeg',
  buffer: bytes,
})

async function search(visitor: Visitor, { party, selfie }: Stage): Promise<void> {
  await enterAsOwner(visitor, party)
  await searchWith(visitor.page, file(selfie))
  await sees(visitor.page, 'Found 24 Photos!')
}

/** Comes back with a ticket whose last visit saw all photos but `unseen`. */
async function comeBack(visitor: Visitor, stage: Stage, unseen: number): Promise<void> {
  const { page } = visitor
  await search(visitor, stage)
  await page.getByRole('button', { name: /^Remember me/ }).click()
  await page.getByRole('button', { name: 'Forget me' }).waitFor()
  await page.evaluate(
    ([name, count]) => {
      const kept = JSON.parse(localStorage.getItem(`remembered ${name}`)!)
      const photoIds = kept.photoIds.slice(count)
      localStorage.setItem(`remembered ${name}`, JSON.stringify({ ...kept, photoIds }))
    },
    [stage.party.albumName, unseen] as const,
  )
  await page.reload()
}

/** As if a former visit had kept a ticket that was never made. */
async function comeBackWithForged(visitor: Visitor, { party }: Stage): Promise<void> {
  const { page } = visitor
  await page.goto('/privacy-policy')
  await page.evaluate((name) => {
    const endsAt = new Date(Date.now() + 86_400_000).toISOString()
    localStorage.setItem(`remembered ${name}`, JSON.stringify({ ticket: 'forged', endsAt, photoIds: [] }))
  }, party.albumName)
  await enterAsOwner(visitor, party)
}

const withSomebody = (page: Page) =>
  page.getByRole('button', { name: 'Find photos with somebody else, too' }).click()

/** Visitors who are remembered, and those who look for two people. */
export const REMEMBERED: Scene[] = [
  scene('album-remembered', async (visitor, stage) => {
    await comeBack(visitor, stage, 3)
    await sees(visitor.page, 'Your photos, 3 new since your last visit')
    await visitor.page.waitForLoadState('networkidle')
    await visitor.page.getByRole('button', { name: 'Forget me' }).scrollIntoViewIfNeeded()
  }),
  scene('album-remembered-failed', async (visitor, stage) => {
    await fail(visitor.page, '**/api/search-in-album')
    await comeBackWithForged(visitor, stage)
    await sees(visitor.page, 'Your photos could not be loaded')
  }),
  scene('album-second-person', async (visitor, stage) => {
    await search(visitor, stage)
    await withSomebody(visitor.page)
    await sees(visitor.page, 'Who else?')
  }),
  scene('album-with-either', async (visitor, stage) => {
    const { page } = visitor
    await search(visitor, stage)
    await withSomebody(page)
    await choose(page, file(stage.stranger))
    await page.getByRole('button', { name: 'Search for both' }).click()
    await sees(page, 'No Photos with Both of You')
    await page.getByText('With either', { exact: true }).click()
    await sees(page, 'Found 24 Photos with either of you!')
  }),
]

import type { Page } from 'playwright-core'
import type { SearchedSelfie } from '../../src/contract/search.ts'
import { readSample } from '../../src/testing/client.ts'
import { type ChosenFile, choose, enterAsOwner, searchWith } from './album-visits.ts'
import { type Scene, scene } from './scene.ts'
import { type Box, boxesIn, changeAnswers, seenSelfie, unsureOf } from './search-answers.ts'
import type { Stage } from './stage.ts'
import { sees, type Visitor } from './visitor.ts'

const file = ({ name, bytes }: { name: string; bytes: Buffer }): ChosenFile => ({
  name,
  mimeType: 'image/jpeg',
  buffer: bytes,
})

/** Searches the party. Of the found photos some are sure, and the visitor is asked about others. */
async function searchUnsure({ page, ...visitor }: Visitor, stage: Stage, sure: number, asked: number) {
  const boxes = await boxesIn(stage.site.database.db, 'IMG_4210.jpg')
  await changeAnswers(page, (answer, sent) => unsureOf(answer, sent, { sure, asked, boxes }))
  await enterAsOwner({ page, ...visitor }, stage.party)
  await searchWith(page, file(stage.selfie))
  await page.getByRole('button', { name: "Yes, that's me" }).first().waitFor()
  await facesDrawn(page)
}

const facesDrawn = (page: Page) =>
  page.waitForFunction(() =>
    [...document.querySelectorAll<HTMLImageElement>('[role=group] img')].some((image) => image.complete),
  )

/** Searches the party with selfies in which the service sees this. */
async function searchSeen(
  visitor: Visitor,
  stage: Stage,
  selfies: ChosenFile[],
  seen: (boxes: Box[]) => SearchedSelfie[],
): Promise<void> {
  const { page } = visitor
  const boxes = await boxesIn(stage.site.database.db, 'IMG_4210.jpg')
  await changeAnswers(page, (answer) => ({ ...answer, selfies: seen(boxes) }))
  await enterAsOwner(visitor, stage.party)
  for (const selfie of selfies) await choose(page, selfie)
  await page.getByRole('button', { name: 'Search Photos' }).click()
  await sees(page, 'Found 24 Photos!')
}

/** The results of a search that is not sure, or that has seen more in the selfies than one good face. */
export const SEARCH_RESULTS: Scene[] = [
  scene('album-possible-answered', async (visitor, stage) => {
    await searchUnsure(visitor, stage, 6, 5)
    const { page } = visitor
    await page.getByRole('button', { name: "Yes, that's me" }).first().click()
    await page.getByText(/^Added to your photos. 1 more photo found/).waitFor()
  }),
  scene('album-face-chooser', async (visitor, stage) => {
    const group = { name: 'us.jpg', bytes: await readSample(1) }
    await searchSeen(visitor, stage, [file(group)], (boxes) => [seenSelfie(boxes)])
    await visitor.page.getByRole('button', { name: /^Face 1 of/ }).waitFor()
  }),
  scene('album-three-selfies', async (visitor, { party, selfie, stranger }) => {
    const { page } = visitor
    await enterAsOwner(visitor, party)
    for (const chosen of [selfie, stranger, selfie]) await choose(page, file(chosen))
    await page
      .getByRole('button', { name: /^Remove/ })
      .nth(2)
      .waitFor()
  }),
  scene('album-poor-selfie', async (visitor, stage) => {
    await searchSeen(visitor, stage, [file(stage.selfie)], ([box]) => [
      seenSelfie([box!], { problems: ['TOO_DARK'] }),
    ])
    await visitor.page.getByRole('button', { name: 'Add another selfie' }).waitFor()
  }),
]

import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { STILL_MS } from '../features/photos/use-still.ts'
import { resultsTest } from './results-page.ts'
import { sees } from './visitor.ts'

const test = resultsTest()

const questions = (page: Page) => page.getByRole('group', { name: /^Is this you in/ })

test('a selfie that may be in photos is asked about them, instead of reading that there are none', async ({
  page,
  clock,
  submissions,
}) => {
  const id = await submissions.submit()
  await submissions.ask(id)
  await page.goto(`/selfie/results/${id}`)
  await page.getByRole('heading', { name: 'We are not sure. Are you in these?' }).waitFor()
  expect(await page.getByText('No Photos Found').count()).toBe(0)
  expect(await questions(page).count()).toBe(2)

  await page.getByRole('button', { name: "Yes, that's me" }).first().click()
  await sees(page, 'We found 1 photo of you.')
  await clock.pass(STILL_MS)
  await page.getByRole('button', { name: 'No', exact: true }).click()
  await page.getByRole('status').getByText('This photo is left out. That was the last one.').waitFor()
  await clock.pass(STILL_MS)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => questions(page).count()).toBe(1)
  // Like photos that were found, the questions are deleted when they have been seen.
  await clock.pass(30_000)
  await expect.poll(() => submissions.isThere(id)).toBe(false)
  await sees(page, 'We found 1 photo of you.')
})

test('after only Noes the page says that no photo was found, and an answer can be taken back', async ({
  page,
  clock,
  submissions,
}) => {
  const id = await submissions.submit()
  await submissions.ask(id)
  await page.goto(`/selfie/results/${id}`)
  for (const left of [2, 1]) {
    await expect.poll(() => questions(page).count()).toBe(left)
    await clock.pass(STILL_MS)
    await page.getByRole('button', { name: 'No', exact: true }).first().click()
  }
  await page.getByRole('heading', { name: 'No Photos Found' }).waitFor()
  await clock.pass(STILL_MS)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => questions(page).count()).toBe(1)
})

test('a selfie that was deleted before it was matched is a failure with a way on, and not "not found"', async ({
  page,
  submissions,
}) => {
  const id = await submissions.submit()
  await submissions.expire(id)
  await page.goto(`/selfie/results/${id}`)
  await page.getByRole('alert').getByText('Your search has failed').waitFor()
  expect(await page.getByText(/did not find you|No Photos Found/).count()).toBe(0)
  expect(await page.getByRole('link', { name: 'Try again' }).getAttribute('href')).toBe('/selfie')
})

import type { Page } from 'playwright-core'

export const continueButton = (page: Page) =>
  page.getByRole('button', { name: 'Continue to Photo Upload', exact: true })

/** Fills in the form of /get-started, except for the invitation code. */
export async function fillGetStarted(
  page: Page,
  albumName: string,
  email = 'ana@example.com',
): Promise<void> {
  await page.getByLabel('Email Address').fill(email)
  await page.getByLabel('Album Name').fill(albumName)
}

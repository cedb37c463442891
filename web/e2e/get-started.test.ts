import { expect } from 'vitest'
import { continueButton } from './get-started.ts'
import { refuse } from './scene.ts'
import { siteTest, type Visit } from './site-test.ts'
import { recordToasts, toastsOf } from './toasts.ts'
import { holdBack, sees, seesToast } from './visitor.ts'

const test = siteTest({ work: false })

const CREATE = '**/trpc/albums.create**'

async function atGetStarted(visit: Visit) {
  const visitor = await visit()
  const { page } = visitor
  await recordToasts(page)
  await page.goto('/get-started')
  return {
    ...visitor,
    email: page.getByLabel('Email Address'),
    albumName: page.getByLabel('Album Name'),
    button: continueButton(page),
  }
}

const saved = () => ({ ...localStorage })

test('the form names its fields and shows examples', async ({ visit }) => {
  const { page, email, albumName } = await atGetStarted(visit)
  await page.getByRole('heading', { name: 'Get Started', exact: true, level: 1 }).waitFor()
  await sees(page, 'Set up your album.')
  await page.getByRole('heading', { name: 'Your Information', exact: true }).waitFor()
  expect(await email.getAttribute('type')).toBe('email')
  expect(await email.getAttribute('placeholder')).toBe('Enter your email')
  expect(await albumName.getAttribute('type')).toBe('text')
  expect(await albumName.getAttribute('placeholder')).toBe('My Summer Wedding, 2025')
  await page.getByRole('link', { name: 'Back to Home', exact: true }).click()
  await page.waitForURL((url) => url.pathname === '/')
})

test('the form cannot be sent while a field is empty or blank', async ({ visit }) => {
  const { email, albumName, button } = await atGetStarted(visit)
  expect(await button.isDisabled()).toBe(true)
  await email.fill('ana@example.com')
  expect(await button.isDisabled()).toBe(true)
  await albumName.fill('   ')
  expect(await button.isDisabled()).toBe(true)
  await albumName.fill('Party')
  expect(await button.isDisabled()).toBe(false)
  await email.fill('')
  expect(await button.isDisabled()).toBe(true)
})

test('while the album is being created the button says so; then the values are saved, and /bulk-upload opens', async ({
  visit,
}) => {
  const { page, email, albumName, button } = await atGetStarted(visit)
  const { letGo } = await holdBack(page, CREATE)
  await email.fill('ana@example.com')
  await albumName.fill('Ana & Béla, 夏 2025')
  await button.click()
  const pending = page.getByRole('button', { name: 'Getting Started...', exact: true })
  await pending.waitFor()
  expect(await pending.isDisabled()).toBe(true)

  letGo()
  await seesToast(page, 'Success', 'Album setup completed successfully!')
  await page.waitForURL('**/bulk-upload')
  await sees(page, 'Ana & Béla, 夏 2025')
  expect(await page.evaluate(saved)).toMatchObject({
    userEmail: 'ana@example.com',
    eventName: 'Ana & Béla, 夏 2025',
    userAlbumId: expect.stringMatching(/^[\w-]{32}$/),
    userAlbumSlug: expect.stringMatching(/^ana-bela/),
  })
  expect(await toastsOf(page)).toEqual([['Success', 'Album setup completed successfully!']])
})

test.for([
  ['answers with an error', { status: 500, body: 'no' }],
  ['cannot be reached', null],
] as const)(
  'when the service %s, the visitor stays at the form and may try again',
  async ([_case, answer], { visit }) => {
    const { page, email, albumName, button } = await atGetStarted(visit)
    await page.route(CREATE, (route) => (answer ? route.fulfill(answer) : route.abort()))
    await email.fill('ana@example.com')
    await albumName.fill('Party')
    await button.click()
    await seesToast(page, 'Error', 'Failed to set up album. Please try again.')
    expect(new URL(page.url()).pathname).toBe('/get-started')
    expect(await page.evaluate(saved)).not.toHaveProperty('userAlbumId')
    expect(await email.inputValue()).toBe('ana@example.com')

    await page.unroute(CREATE)
    await button.click()
    await page.waitForURL('**/bulk-upload')
  },
)

test('when this network has created all the albums of its day, the form says so after the toast', async ({
  visit,
}) => {
  const { page, email, albumName, button } = await atGetStarted(visit)
  const message = 'Too many new albums from this network. Please try again in 5 hours.'
  await refuse(page, CREATE, { code: 'TOO_MANY_REQUESTS', message })
  await email.fill('ana@example.com')
  await albumName.fill('Party')
  await button.click()
  await seesToast(page, 'Error', 'Failed to set up album. Please try again.')
  await page.getByRole('alert').filter({ hasText: message }).waitFor()
})

test("the service's reason for refusing an album is logged, and shown under its field until it is changed", async ({
  visit,
}) => {
  const { page, email, albumName, button } = await atGetStarted(visit)
  const logged: string[] = []
  page.on('console', (message) => logged.push(message.text()))
  await email.fill('ana@example')
  await albumName.fill('Party')
  await button.click()
  await seesToast(page, 'Error', 'Failed to set up album. Please try again.')
  expect(logged.join('\n')).toContain('Please enter a valid email address')

  const describedBy = (await email.getAttribute('aria-describedby'))!.split(' ')
  expect(await page.locator(`[id="${describedBy[0]}"]`).textContent()).toBe(
    'Please enter a valid email address',
  )
  expect(await page.locator(`[id="${describedBy[1]}"]`).textContent()).toMatch(/link and password/)
  expect(await email.getAttribute('aria-invalid')).toBe('true')
  expect(await email.evaluate((field) => field === document.activeElement)).toBe(true)
  expect(await albumName.getAttribute('aria-invalid')).toBeNull()

  await email.fill('ana@example.c')
  await page.getByText('Please enter a valid email address').waitFor({ state: 'detached' })
  expect(await email.getAttribute('aria-invalid')).toBeNull()
  expect((await email.getAttribute('aria-describedby'))!.split(' ').length).toBe(1)

  await page.route(CREATE, (route) => route.abort())
  await email.fill('ana@example.com')
  await button.click()
  await expect.poll(() => logged.join('\n')).toContain('Failed to create album')
})

test.for([
  ['/bulk-upload', 'Create an album before you upload photos'],
  ['/selfie', 'Create an album before you search with a selfie'],
] as const)(
  'a visitor whom %s sent here reads why, and is offered the albums',
  async ([path, reason], { page }) => {
    await page.goto(path)
    await page.waitForURL('**/get-started')
    await sees(page, reason)
    await page.getByRole('link', { name: 'browse the photo albums' }).click()
    await page.waitForURL('**/albums')
  },
)

test("the 404 page's link to /selfie shows the reason, too, and a visitor who comes by another way sees none", async ({
  page,
}) => {
  await page.goto('/nowhere')
  await page.getByRole('link', { name: 'Find your photos' }).click()
  await sees(page, 'Create an album before you search with a selfie')
  await page.getByRole('link', { name: 'Home', exact: true }).click()
  await page.getByRole('link', { name: 'Get Started', exact: true }).click()
  await sees(page, 'Set up your album.')
  expect(await page.getByText(/^Create an album before/).count()).toBe(0)
})

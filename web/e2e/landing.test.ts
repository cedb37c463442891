import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { siteTest } from './site-test.ts'
import { sees } from './visitor.ts'

const test = siteTest({ work: false })

const STEPS = [
  ['Upload Event Photos', 'Bulk upload your photos, thousands at a time, to create an album.'],
  ['AI Recognition Magic', 'Every photo is scanned, and a searchable face index is built automatically.'],
  ['Share Your Album', 'You get a unique, password-protected link for everyone who was there.'],
  ['Find Your Moments', 'Anyone uploads a selfie at the private link and sees all photos featuring them.'],
] as const

/** Opens a page, and waits until its script runs: links then change the page without loading it. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.waitForFunction(() => {
    const root = document.getElementById('root')!
    return Object.keys(root.firstElementChild ?? {}).some((key) => key.startsWith('__react'))
  })
}

const bar = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const howItWorks = (page: Page) =>
  page.getByRole('heading', { name: 'How It Works - 4 simple steps', level: 2 })
const focusIsOn = (page: Page, selector: string) =>
  page.waitForFunction((it) => document.activeElement?.matches(it), selector)
const arrive = (page: Page, path: string) =>
  page.waitForURL((address) => address.pathname + address.hash === path)

/** The positions, in pixels from the top, that a scroll passes until it stops. */
function watchScrolling(page: Page): Promise<number[]> {
  return page.evaluate(
    () =>
      new Promise<number[]>((resolve) => {
        const seen: number[] = []
        let still = 0
        const look = () => {
          still = window.scrollY > 0 && window.scrollY === seen.at(-1) ? still + 1 : 0
          seen.push(window.scrollY)
          if (still < 10) requestAnimationFrame(look)
          else resolve([...new Set(seen)])
        }
        look()
      }),
  )
}

describe('the landing page', () => {
  test('says what the product is and how it works', async ({ page }) => {
    await open(page, '/')
    expect(await page.title()).toBe('Inframe')
    await page
      .getByRole('heading', { name: 'Let facial recognition do your photo tagging.', level: 1 })
      .waitFor()
    await sees(page, 'Facial recognition, without the friction')
    await sees(
      page,
      'Upload your event photos and get a shareable link. Attendees drop a selfie to find every photo they are in.',
    )
    await howItWorks(page).waitFor()
    const cards = page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 3 }) })
    expect(await cards.count()).toBe(STEPS.length)
    for (const [index, [title, text]] of STEPS.entries()) {
      const card = cards.nth(index)
      await card.getByRole('heading', { name: title, exact: true }).waitFor()
      await card.getByText(text, { exact: true }).waitFor()
      await card.getByText(String(index + 1), { exact: true }).waitFor()
    }
  })

  test('Get Started goes to the form, Home and the logo come back', async ({ page }) => {
    await open(page, '/')
    await page.getByRole('link', { name: 'Get Started', exact: true }).click()
    await arrive(page, '/get-started')
    await sees(page, 'Set up your album.')
    await bar(page).getByRole('link', { name: 'Home' }).click()
    await arrive(page, '/')
    await page.getByRole('link', { name: 'Create your album' }).click()
    await arrive(page, '/get-started')
    await page.getByRole('banner').getByRole('link', { name: 'Inframe' }).click()
    await arrive(page, '/')
    await page.getByRole('link', { name: 'Privacy' }).click()
    await arrive(page, '/privacy-policy')
    await focusIsOn(page, 'main')
  })

  test('keeps its bar in sight', async ({ page }) => {
    await open(page, '/')
    await page.mouse.wheel(0, 600)
    await page.waitForFunction(() => window.scrollY > 300)
    expect(await page.getByRole('banner').boundingBox()).toMatchObject({ y: 0 })
  })

  test('loads nothing from elsewhere', async ({ page, site }) => {
    const foreign: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(site.url)) foreign.push(request.url())
    })
    await page.goto('/', { waitUntil: 'networkidle' })
    expect(foreign).toEqual([])
  })

  test('uses its own font', async ({ page }) => {
    await open(page, '/')
    await page.waitForFunction(() =>
      [...document.fonts].some((face) => /^"?Figtree"?$/.test(face.family) && face.status === 'loaded'),
    )
  })

  test('moves nothing while it loads, at any width', async ({ visit }) => {
    for (const width of [320, 390, 768, 1280, 1920]) {
      const { page } = await visit({ viewport: { width, height: 800 } })
      await page.addInitScript(() => {
        Object.assign(window, { shifts: 0 })
        new PerformanceObserver((list) => {
          Object.assign(window, { shifts: Object(window).shifts + list.getEntries().length })
        }).observe({ type: 'layout-shift', buffered: true })
      })
      await page.goto('/', { waitUntil: 'networkidle' })
      expect([width, await page.evaluate('window.shifts')]).toEqual([width, 0])
      // A scroll bar across would show that something is wider than the window.
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
      ).toBeLessThanOrEqual(0)
    }
  })

  test('can be read and left without any script', async ({ page }) => {
    await page.route('**/*.js', (route) => route.abort())
    await page.goto('/')
    await howItWorks(page).waitFor()
    await page.getByRole('link', { name: 'Privacy' }).click()
    await page.getByRole('heading', { name: 'Privacy Policy', level: 1 }).waitFor()
  })
})

describe('How it works', () => {
  test('scrolls smoothly to its section and moves the focus there', async ({ visit }) => {
    const { page } = await visit({ reducedMotion: 'no-preference' })
    await open(page, '/')
    const scrolling = watchScrolling(page)
    await bar(page).getByRole('link', { name: 'How it works' }).click()
    expect((await scrolling).length).toBeGreaterThan(3)
    await arrive(page, '/#how-it-works')
    await focusIsOn(page, '#how-it-works')
    // Under the bar, not behind it.
    const { y } = (await howItWorks(page).boundingBox())!
    expect(y).toBeGreaterThanOrEqual(64)
    expect(y).toBeLessThan(160)
  })

  test('jumps there for those who asked for less motion', async ({ page }) => {
    await open(page, '/')
    const scrolling = watchScrolling(page)
    await bar(page).getByRole('link', { name: 'How it works' }).click()
    expect((await scrolling).length).toBe(2)
  })

  test('works a second time, after scrolling away', async ({ page }) => {
    await open(page, '/#how-it-works')
    await page.evaluate(() => window.scrollTo(0, 0))
    const scrolling = watchScrolling(page)
    await bar(page).getByRole('link', { name: 'How it works' }).click()
    expect((await scrolling).at(-1)).toBeGreaterThan(200)
  })

  test('is reached from any other page, and by its address', async ({ page }) => {
    await open(page, '/privacy-policy')
    await bar(page).getByRole('link', { name: 'How it works' }).click()
    await arrive(page, '/#how-it-works')
    await page.waitForFunction(() => window.scrollY > 200 && document.activeElement?.id === 'how-it-works')

    await page.goto('about:blank')
    await open(page, '/#how-it-works')
    await page.waitForFunction(() => window.scrollY > 200 && document.activeElement?.id === 'how-it-works')
  })
})

test("while a page's own code is loading, its footer is below the window", async ({ page }) => {
  await page.route('**/*.js', (route) => route.abort())
  await page.goto('/get-started')
  expect((await page.getByRole('contentinfo').boundingBox())!.y).toBeGreaterThanOrEqual(800)
})

test('on a phone everything in the bar is large enough to touch', async ({ visit }) => {
  const { page } = await visit({ device: 'phone', viewport: { width: 320, height: 640 } })
  await open(page, '/')
  for (const link of await page.getByRole('banner').getByRole('link').all())
    expect((await link.boundingBox())!.height).toBeGreaterThanOrEqual(44)
  expect(
    (await page.getByRole('link', { name: 'Get Started' }).boundingBox())!.height,
  ).toBeGreaterThanOrEqual(44)
})

import { expect } from 'vitest'
import { samplePath } from '../../src/testing/sample-photos.ts'
import { givePassword, searchAsGuest, selfieOfSample1 } from './album-visits.ts'
import { continueButton, fillGetStarted } from './get-started.ts'
import { siteTest } from './site-test.ts'
import { sees } from './visitor.ts'

const test = siteTest()

/** What the translators of Chrome and Edge do to a page: a <font> takes the place of each text. Here its words stay. */
function translate(): void {
  const isTranslated = (node: Node) => node.parentElement?.closest('font, script, style, textarea, title')
  function translateOne(node: Node): void {
    if (!/\p{L}/u.test(node.nodeValue!) || !node.parentNode || isTranslated(node)) return
    const font = document.createElement('font')
    font.textContent = node.nodeValue
    node.parentNode.replaceChild(font, node)
  }
  function translateAll(node: Node): void {
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT)
    const texts = node.nodeType === Node.TEXT_NODE ? [node] : []
    while (walker.nextNode()) texts.push(walker.currentNode)
    texts.forEach(translateOne)
  }
  new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes)
      if (type === 'characterData') translateOne(target)
      else addedNodes.forEach(translateAll)
  }).observe(document, { childList: true, subtree: true, characterData: true })
}

test('every step works on a page that a translator has changed', async ({ visit, site }) => {
  const organiser = await visit()
  await organiser.page.addInitScript(translate)
  await organiser.page.goto('/get-started')
  await fillGetStarted(organiser.page, 'Translated')
  await continueButton(organiser.page).click()
  await organiser.page.waitForURL('**/bulk-upload')
  await organiser.page.setInputFiles('input[type=file]:not([webkitdirectory])', [
    samplePath(1),
    samplePath(2),
  ])
  // The button said 'Upload Photos' when it was translated.
  await organiser.page.getByRole('button', { name: 'Upload 2 Photos' }).click()
  await organiser.page.waitForURL('**/upload-success')

  const album = await site.createAlbum('Translated, too')
  await site.fill(album, [1])
  const guest = await visit({ device: 'phone' })
  await guest.page.addInitScript(translate)
  await searchAsGuest(guest, album, await selfieOfSample1(site))
  const found = guest.page.locator('font', { hasText: 'Found 1 Photo' })
  await found.waitFor()
})

test('a page that is older than the service is loaded again, once, and then says what is wrong', async ({
  page,
  site,
}) => {
  const { albumName, password } = await site.createAlbum('New Version')
  let asked = 0
  await page.route(/assets\/open-.*\.js/, (route) => {
    asked++
    return route.fulfill({ status: 404 })
  })
  let loads = 0
  page.on('domcontentloaded', () => loads++)
  await page.goto(`/album/${albumName}`)
  await givePassword(page, password)
  await sees(page, 'This page could not be shown')
  expect(loads).toBe(2)
  expect(asked).toBeGreaterThanOrEqual(2)
  await page.unroute(/assets\/open-.*\.js/)
  await page.getByRole('button', { name: 'Try Again' }).click()
  // The password was right before the page was loaded again, and is not asked for twice.
  await page.getByRole('heading', { name: 'New Version' }).waitFor()
})

import type { Page } from 'playwright-core'

declare global {
  interface Window {
    toastsSeen: [title: string, description: string][]
  }
}

/** Records every toast of the pages visited from now on, however short it was visible. */
export async function recordToasts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.toastsSeen = []
    const look = () => {
      const open = [...document.querySelectorAll('[aria-label^="Notification"] li[data-state=open]')]
      for (const item of open) {
        const [title = '', description = ''] = [...item.querySelectorAll('div > div')].map(
          (part) => part.textContent,
        )
        const last = window.toastsSeen.at(-1)
        if (last?.[0] !== title || last[1] !== description) window.toastsSeen.push([title, description])
      }
    }
    new MutationObserver(look).observe(document, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
      attributeFilter: ['data-state'],
    })
  })
}

/** Keeps the toasts of a page open until the page dismisses them, as a pointer does that moves over them. */
export async function keepToastsOpen(page: Page): Promise<void> {
  await page.evaluate(() => {
    const move = () =>
      document
        .querySelector('[aria-label^="Notification"] li[data-state=open]')
        ?.dispatchEvent(new PointerEvent('pointermove', { bubbles: true }))
    setInterval(move, 100)
  })
}

/** Touches the page until it has loaded the code of toasts. Of two toasts before that, only the second is ever shown. */
export async function makeReadyForToasts(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    window.dispatchEvent(new Event('pointerdown'))
    return document.querySelector('[aria-label^="Notification"]')
  })
}

/** The toasts of the page since it was loaded, in order. */
export const toastsOf = (page: Page) => page.evaluate(() => window.toastsSeen)

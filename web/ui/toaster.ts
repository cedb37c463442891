import { subscribeToToasts } from './toast-store.ts'

/** What a visitor does first. Most toasts answer something that a visitor has done. */
const FIRST_DEEDS = ['pointerdown', 'keydown']

/** Makes toasts visible. The code for it is loaded when the visitor begins to use the page, or with the first toast. */
export function prepareToaster(): void {
  let isMounting = false
  async function mount(): Promise<void> {
    if (isMounting) return
    isMounting = true
    try {
      const { mountToaster } = await import('./toast.tsx')
      mountToaster()
    } catch {
      // The next toast tries again.
      isMounting = false
    }
  }
  for (const deed of FIRST_DEEDS) window.addEventListener(deed, mount, { once: true, capture: true })
  subscribeToToasts(mount)
}

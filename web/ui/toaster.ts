import { subscribeToToasts } from './toast-store.ts'

/** The visitor's first action. Most toasts answer one. */
const FIRST_ACTIONS = ['pointerdown', 'keydown']

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
  for (const action of FIRST_ACTIONS) window.addEventListener(action, mount, { once: true, capture: true })
  subscribeToToasts(mount)
}

/** At most this many toasts are visible; a newer one replaces the oldest (§9). */
const VISIBLE = 1
/** A dismissed toast leaves the list only this much later, ms (§9). */
const REMOVAL_DELAY_MS = 1_000_000

export interface ToastContent {
  title: string
  description?: string
  tone?: 'neutral' | 'success' | 'error'
}

export interface ToastItem extends ToastContent {
  id: string
  open: boolean
}

let items: readonly ToastItem[] = []
let lastId = 0
const listeners = new Set<() => void>()

function set(next: readonly ToastItem[]): void {
  items = next
  for (const listener of listeners) listener()
}

/** @returns what ends the subscription */
export function subscribeToToasts(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function currentToasts(): readonly ToastItem[] {
  return items
}

/** Shows a toast. Can be called from anywhere. @returns functions that change or dismiss it */
export function toast(content: ToastContent): { update(content: ToastContent): void; dismiss(): void } {
  const id = String(++lastId)
  set([{ ...content, id, open: true }, ...items].slice(0, VISIBLE))
  return {
    update: (next) => set(items.map((item) => (item.id === id ? { ...item, ...next } : item))),
    dismiss: () => dismissToast(id),
  }
}

/** Something has succeeded, so a toast that says that something failed no longer holds. */
export function dismissFailures(): void {
  for (const { id, open, tone } of items) if (open && tone !== 'success') dismissToast(id)
}

export function dismissToast(id: string): void {
  set(items.map((item) => (item.id === id ? { ...item, open: false } : item)))
  setTimeout(() => set(items.filter((item) => item.id !== id)), REMOVAL_DELAY_MS)
}

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

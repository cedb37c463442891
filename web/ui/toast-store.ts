/** A dismissed toast is forgotten only this much later, ms (§9). */
const REMOVAL_DELAY_MS = 1_000_000

export interface ToastContent {
  title: string
  description?: string
  tone?: 'neutral' | 'success' | 'error'
}

export interface ToastItem extends ToastContent {
  id: number
  open: boolean
}

/** At most one is visible: a newer one replaces it (§9). */
let item: ToastItem | null = null
let lastId = 0
const listeners = new Set<() => void>()

function set(next: ToastItem | null): void {
  item = next
  for (const listener of listeners) listener()
}

/** Changes a toast that no other has replaced. */
function change(id: number, changes: Partial<ToastItem>): void {
  if (item?.id === id) set({ ...item, ...changes })
}

/** @returns what ends the subscription */
export function subscribeToToasts(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const currentToast = (): ToastItem | null => item

/** Shows a toast. Can be called from anywhere. @returns functions that change or dismiss it */
export function toast(content: ToastContent): { update(content: ToastContent): void; dismiss(): void } {
  const id = ++lastId
  set({ ...content, id, open: true })
  return { update: (next) => change(id, next), dismiss: () => dismissToast(id) }
}

/** Something has succeeded, so a toast that says that something failed no longer holds. */
export function dismissFailures(): void {
  if (item?.open && item.tone !== 'success') dismissToast(item.id)
}

export function dismissToast(id: number): void {
  change(id, { open: false })
  setTimeout(() => item?.id === id && set(null), REMOVAL_DELAY_MS)
}

/** The visitor's first action. Most toasts answer one. */
const FIRST_ACTIONS = ['pointerdown', 'keydown']

/** Makes toasts visible. The code for it is loaded when the visitor begins to use the page, or with the first toast. */
export function prepareToaster(): void {
  let mounted: Promise<void> | undefined
  const mount = () => {
    // After a failure, the next toast tries again.
    mounted ??= import('./toast.tsx')
      .then(({ mountToaster }) => mountToaster())
      .catch(() => (mounted = undefined))
  }
  for (const action of FIRST_ACTIONS) window.addEventListener(action, mount, { once: true, capture: true })
  subscribeToToasts(mount)
}

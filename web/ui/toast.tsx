import * as Radix from 'radix-ui/toast'
import { useSyncExternalStore } from 'react'
import { createRoot } from 'react-dom/client'
import { toasts as texts } from '../../src/texts/english/toasts.ts'
import { AlertIcon } from './icons.tsx'
import { CheckIcon, CloseIcon, InfoIcon } from './more-icons.tsx'
import { currentToast, dismissToast, subscribeToToasts, type ToastItem } from './toast-store.ts'

const DURATION_MS = 5000
const SWIPE_PX = 50

const ICON = {
  neutral: <InfoIcon className="text-ink-soft" />,
  success: <CheckIcon className="text-success" />,
  error: <AlertIcon className="text-danger" />,
}

/** Makes the toasts of toast-store.ts visible. Called once for the whole app. The toaster has its own React
 *  root, so a toast stays for its five seconds when the visitor goes to another page. */
export function mountToaster(): void {
  const place = document.body.appendChild(document.createElement('div'))
  createRoot(place).render(<Toaster />)
}

function Toaster() {
  const item = useSyncExternalStore(subscribeToToasts, currentToast)
  return (
    <Radix.Provider
      duration={DURATION_MS}
      label={texts.label}
      swipeDirection="right"
      swipeThreshold={SWIPE_PX}
    >
      {item && <ToastCard key={item.id} item={item} />}
      <Radix.Viewport
        hotkey={['F8']}
        className="fixed inset-x-0 z-50 flex w-full flex-col p-4 outline-none max-sm:top-0 sm:bottom-0 sm:left-auto md:max-w-[420px]"
      />
    </Radix.Provider>
  )
}

function ToastCard({ item }: { item: ToastItem }) {
  const { id, open, title, description, tone = 'neutral' } = item
  return (
    <Radix.Root
      open={open}
      onOpenChange={(stays) => !stays && dismissToast(id)}
      type={tone === 'error' ? 'foreground' : 'background'}
      className="max-sm:[--toast-from:-1rem] flex items-start gap-3 rounded-lg border border-line bg-surface p-4 pr-2 shadow-float data-[state=closed]:animate-toast-out data-[state=open]:animate-toast-in data-[swipe=cancel]:transition-transform data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)"
    >
      <span className="mt-0.5 shrink-0">{ICON[tone]}</span>
      <div className="min-w-0 grow">
        <Radix.Title className="font-semibold">{title}</Radix.Title>
        {description && (
          <Radix.Description className="mt-0.5 text-sm text-pretty whitespace-pre-line text-ink-soft">
            {description}
          </Radix.Description>
        )}
      </div>
      <Radix.Close
        aria-label={texts.dismiss}
        className="-my-2 grid size-11 shrink-0 place-items-center rounded-md text-ink-soft hover:text-ink"
      >
        <CloseIcon className="size-4" />
      </Radix.Close>
    </Radix.Root>
  )
}

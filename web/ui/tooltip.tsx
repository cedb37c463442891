import * as Radix from 'radix-ui/tooltip'
import type { ReactElement, ReactNode } from 'react'

const OPEN_DELAY_MS = 700
const SKIP_DELAY_MS = 300

export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Radix.Provider delayDuration={OPEN_DELAY_MS} skipDelayDuration={SKIP_DELAY_MS}>
      {children}
    </Radix.Provider>
  )
}

/** A short hint on hover or focus. The child is one element that takes a ref. It needs a name of its own,
 *  because touch screens never show the hint. */
export function Tooltip({ hint, children }: { hint: string; children: ReactElement }) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-w-60 rounded-md bg-ink px-2.5 py-1.5 text-sm text-paper shadow-float"
        >
          {hint}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'

/** Whether the control that had the focus has been removed or disabled. */
export function isFocusLost(): boolean {
  const { activeElement } = document
  return !activeElement || activeElement === document.body || activeElement.matches(':disabled')
}

/** Moves the focus to the start of the page's content, because the control that has it is about to be removed. */
export function focusContent(): void {
  document.getElementById('content')?.focus({ preventScroll: true })
}

/** A ref for what replaces the control that had the focus. */
export const takeFocus = (element: HTMLElement | null): void => element?.focus()

/** Moves the focus when the control that had it is replaced.
 *  @param shown what is shown: with another value, the control is gone
 *  @param isWanted false when it has gone without a press
 *  @returns the ref of the element that a screen reader continues with, unless another one has taken the focus */
export function useFocusAfter<Kind extends HTMLElement>(
  shown: unknown,
  isWanted: () => boolean = () => true,
): RefObject<Kind | null> {
  const element = useRef<Kind>(null)
  const former = useRef(shown)
  const move = useEffectEvent(() => {
    if (former.current !== shown && isWanted() && isFocusLost()) element.current?.focus()
    former.current = shown
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: it moves when what is shown changes.
  useEffect(() => move(), [shown])
  return element
}

/** Whether the control that had the focus has been removed or disabled. */
export function isFocusLost(): boolean {
  const { activeElement } = document
  return !activeElement || activeElement === document.body || activeElement.matches(':disabled')
}

/** Moves the focus to the start of the page's content, because the control that has it is about to be removed. */
export function focusContent(): void {
  document.getElementById('content')?.focus({ preventScroll: true })
}

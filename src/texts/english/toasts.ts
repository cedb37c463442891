/** Texts around toasts. */
export const toasts = {
  label: 'Notification',
  dismiss: 'Dismiss',
}

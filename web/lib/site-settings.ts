/** A setting of this installation, from the page's head, where the server writes it. Null when it is unset. */
export function setting(name: string): string | null {
  return document.querySelector<HTMLMetaElement>(`meta[name="inframe-${name}"]`)?.content.trim() || null
}

/** Whether the visitor had entered the album of this page when the server sent it. */
export const hasEntered = (): boolean => setting('entered') !== null

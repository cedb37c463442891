/** A page does not hear what it says itself. */
const channel = new BroadcastChannel('logged-out')

/** Tells the browser's other tabs that the visitor has logged out of an album; of all albums without a name. */
export function tellLoggedOut(albumName?: string): void {
  channel.postMessage(albumName)
}

/** Calls back when the visitor logs out of an album in another tab.
 *  @returns ends it */
export function onLoggedOutElsewhere(albumName: string, then: () => void): () => void {
  const hear = ({ data }: MessageEvent<string | undefined>) => {
    if (data === undefined || data === albumName) then()
  }
  channel.addEventListener('message', hear)
  return () => channel.removeEventListener('message', hear)
}

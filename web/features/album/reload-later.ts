import { ALBUM_PROGRESS_POLL_MS, RELOAD_AFTER_COMPLETION_MS } from '../../../src/contract/limits.ts'

/** Reloads the page, about 2.5 s later. While the service cannot be reached, a reload would show the error of the browser or
 *  of a proxy in place of the album. So it waits until the service answers.
 *  @returns a function that calls the reload off */
export function reloadLater(): () => void {
  let isOff = false
  let timer = setTimeout(reloadWhenThere, RELOAD_AFTER_COMPLETION_MS)

  async function reloadWhenThere() {
    const isThere = await fetch(window.location.pathname, { method: 'HEAD' }).then(
      ({ status }) => status < 500,
      () => false,
    )
    if (isOff) return
    if (isThere) window.location.reload()
    else timer = setTimeout(reloadWhenThere, ALBUM_PROGRESS_POLL_MS)
  }

  return () => {
    isOff = true
    clearTimeout(timer)
  }
}

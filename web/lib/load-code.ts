import { pause } from './pause.ts'

/** Ms before each further try. */
const PAUSES_MS = [500, 2_000]
/** In sessionStorage: the version of the page for which the page was loaded again. */
const RELOADED = 'reloadedVersion'

/** The script that did not come, as browsers name it in their message. */
const NAMED_SCRIPT = /https?:\S+/

/** Imports code. It tries a few times. When a new version of the service has taken the code's place, it loads the page
 *  again, once.
 *  @param load imports one module
 *  @throws what the last import threw */
export async function loadCode<Code>(load: () => Promise<Code>): Promise<Code> {
  let next = load
  for (const [tried, ms] of PAUSES_MS.entries()) {
    try {
      return await next()
    } catch (error) {
      if (await reloadWhenOutdated()) return await new Promise<never>(() => {})
      await pause(ms)
      // Chromium and Firefox remember that a script did not come. They ask again only under another address.
      const [script] = NAMED_SCRIPT.exec(String(error)) ?? []
      if (script) next = () => import(/* @vite-ignore */ `${script}?again=${tried + 1}`)
    }
  }
  return await next()
}

/** Loads the page again when the service no longer has the page's own script, once for each version.
 *  @returns whether it does */
async function reloadWhenOutdated(): Promise<boolean> {
  // The name of the last one, web/main.tsx, is another one in each version.
  const version = [...document.querySelectorAll<HTMLScriptElement>('script[type=module][src]')].at(-1)?.src
  try {
    if (!version || sessionStorage.getItem(RELOADED) === version) return false
    const { status } = await fetch(version, { method: 'HEAD', cache: 'no-store' })
    if (status !== 404) return false
    sessionStorage.setItem(RELOADED, version)
  } catch {
    // Offline; or storage is refused, and without the note the page could be loaded again and again.
    return false
  }
  location.reload()
  return true
}

import { lazyRouteComponent } from '@tanstack/react-router'
import { createElement, type ReactNode, Suspense, useEffect, useEffectEvent, useState } from 'react'

/** Code did not arrive because the browser is offline. */
export class PartNotLoaded extends Error {
  override readonly name = 'PartNotLoaded'
}

/** A page, or a part of one, whose code is loaded when it is drawn, or before by `preload`. When the code is missing, as
 *  it is after a new version was installed, the router loads the whole document again, once. Offline the visitor would
 *  then see the browser's own error page.
 *  @param load imports the module of which the part is the default export */
export function lazyPart<Module extends { default: (props: never) => ReactNode }>(
  load: () => Promise<Module>,
) {
  return lazyRouteComponent<Module>(() =>
    load().catch((error: unknown) => {
      throw navigator.onLine ? error : new PartNotLoaded('The code could not be loaded', { cause: error })
    }),
  )
}

/** What takes the place of code that does not come, for a part without which the page is still useful. */
export const orNothing = () => ({ default: () => null })

/** After this many ms the page has what is more urgent. */
const LATER_MS = 300

/** Does some work once, a moment after the page was drawn. */
function useLater(work: () => void, isWanted = true): void {
  const begin = useEffectEvent(work)
  useEffect(() => {
    if (!isWanted) return
    const timer = setTimeout(() => begin(), LATER_MS)
    return () => clearTimeout(timer)
  }, [isWanted])
}

export interface Preloadable {
  preload?: () => Promise<void> | undefined
}

/** Loads the code of a part a moment after the page was drawn, so that nobody waits for it later.
 *  @param isWanted false while nobody will need it */
export function usePreload(part: Preloadable, isWanted = true): void {
  useLater(() => void part.preload?.(), isWanted)
}

/** Preloads a part after what is beside it has been drawn. */
export function Preload({ part, isWanted = true }: { part: Preloadable; isWanted?: boolean }): null {
  usePreload(part, isWanted)
  return null
}

/** Shows its children a moment after the page, for what nobody waits for. */
export function Later({ children }: { children: ReactNode }): ReactNode {
  const [isTime, setIsTime] = useState(false)
  useLater(() => setIsTime(true))
  return isTime && createElement(Suspense, null, children)
}

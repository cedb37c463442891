import { lazyRouteComponent } from '@tanstack/react-router'
import type { ReactNode } from 'react'

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

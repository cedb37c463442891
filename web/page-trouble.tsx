import { type ErrorComponentProps, lazyRouteComponent, useRouter } from '@tanstack/react-router'
import { type ComponentType, useEffect } from 'react'
import { common, pageTrouble as texts } from '../src/texts/english/site.ts'
import { loadCode } from './lib/load-code.ts'
import { forgetMissingCode } from './lib/on-demand.ts'
import { buttonLook } from './ui/button-look.ts'
import { EmptyState } from './ui/empty-state.tsx'
import { AlertIcon } from './ui/icons.tsx'

/** The code of a page did not arrive because the browser is offline. */
class PageNotLoaded extends Error {
  override readonly name = 'PageNotLoaded'
}

/** A page that is loaded on demand. When a page's code is missing, as it is after a new version was installed, the
 *  router loads the whole document again. Offline the visitor would then see the browser's own error page. */
export function lazyPage(load: () => Promise<{ default: ComponentType }>) {
  return lazyRouteComponent(() =>
    loadCode(load).catch((error: unknown) => {
      throw navigator.onLine ? error : new PageNotLoaded('The page could not be loaded', { cause: error })
    }),
  )
}

/** Shown instead of a page that could not be loaded or drawn. It loads by itself when the network is back. Browsers
 *  remember that a script did not come, so that only loading the whole page again asks for it again. */
export function PageTrouble({ error }: ErrorComponentProps) {
  const router = useRouter()
  const offline = error instanceof PageNotLoaded
  function drawAgain() {
    forgetMissingCode()
    void router.invalidate()
  }
  useEffect(() => {
    window.addEventListener('online', drawAgain)
    return () => window.removeEventListener('online', drawAgain)
  })
  return (
    <div role="alert" className="px-4 py-10 sm:px-6 sm:py-14">
      <EmptyState
        icon={<AlertIcon className="size-10" />}
        level={1}
        title={offline ? texts.offline : texts.broken}
        action={
          <button
            type="button"
            onClick={() => (offline ? drawAgain() : window.location.reload())}
            className={buttonLook()}
          >
            {common.tryAgain}
          </button>
        }
      >
        {offline ? texts.offlineAdvice : texts.brokenAdvice}
      </EmptyState>
    </div>
  )
}

import type { ErrorComponentProps } from '@tanstack/react-router'
import { useEffect } from 'react'
import { pageTrouble as texts } from '../../src/texts/english/site.ts'
import * as common from '../../src/texts/english/words.ts'
import { PartNotLoaded } from '../lib/lazy-part.ts'
import { buttonLook } from './button-look.ts'
import { EmptyState } from './empty-state.tsx'
import { AlertIcon } from './icons.tsx'

/** Shown instead of a page that could not be loaded or drawn. It loads by itself when the network is back. Browsers
 *  remember that a script did not come, so that only loading the whole page again asks for it again. */
export function PageTrouble({ error }: ErrorComponentProps) {
  const offline = error instanceof PartNotLoaded
  useEffect(() => {
    if (!offline) return
    if (navigator.onLine) reload()
    window.addEventListener('online', reload)
    return () => window.removeEventListener('online', reload)
  }, [offline])
  return (
    <div role="alert" className="px-4 py-10 sm:px-6 sm:py-14">
      <EmptyState
        icon={<AlertIcon className="size-10" />}
        level={1}
        title={offline ? texts.offline : texts.broken}
        action={
          <button type="button" onClick={reload} className={buttonLook()}>
            {common.tryAgain}
          </button>
        }
      >
        {offline ? texts.offlineAdvice : texts.brokenAdvice}
      </EmptyState>
    </div>
  )
}

function reload(): void {
  window.location.reload()
}

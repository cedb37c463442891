import { useBlocker } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { leavingGuard as texts } from '../../../src/texts/english/upload.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'

const whenBlocked = () => true

/** Keeps the screen on during an upload, and asks before the visitor leaves the page: with a dialog for another page of
 *  the app, with the browser's own question otherwise. */
export function WhileSending({ busy }: { busy: boolean }) {
  const { status, proceed, reset } = useBlocker({
    disabled: !busy,
    enableBeforeUnload: busy,
    shouldBlockFn: whenBlocked,
    withResolver: true,
  })

  // The upload may end while the question is open.
  const endQuestion = useEffectEvent(() => reset?.())
  useEffect(() => {
    if (!busy) return
    const letGo = keepScreenOn()
    return () => {
      letGo()
      endQuestion()
    }
  }, [busy])

  if (status !== 'blocked') return null
  return (
    <ConfirmDialog
      title={texts.title}
      stay={{ label: texts.stay, onClick: reset }}
      leave={{ label: texts.leave, onClick: proceed }}
    >
      {texts.text}
    </ConfirmDialog>
  )
}

/** A phone whose screen locks ends an upload. Browsers that lack this, or refuse it to save the battery, lock as usual.
 *  @returns what ends it */
function keepScreenOn(): () => void {
  let lock: Promise<WakeLockSentinel | null> | undefined
  const take = () => {
    // The browser ends it whenever the page is hidden.
    if (document.visibilityState === 'visible') lock = navigator.wakeLock?.request('screen').catch(() => null)
  }
  take()
  document.addEventListener('visibilitychange', take)
  return () => {
    document.removeEventListener('visibilitychange', take)
    void lock?.then((held) => held?.release())
  }
}

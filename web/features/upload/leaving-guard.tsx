import { useBlocker } from '@tanstack/react-router'
import { useEffect } from 'react'
import { leavingGuard as texts } from '../../../src/texts/english.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'

const whenBlocked = () => true

/** Asks before the visitor leaves the page during an upload: with a dialog for another page of the app, with the
 *  browser's own question otherwise. */
export function LeavingGuard({ busy }: { busy: boolean }) {
  const { status, proceed, reset } = useBlocker({
    disabled: !busy,
    enableBeforeUnload: busy,
    shouldBlockFn: whenBlocked,
    withResolver: true,
  })

  // The upload may end while the question is open.
  useEffect(() => {
    if (!busy) reset?.()
  }, [busy, reset])

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

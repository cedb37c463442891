import { useBlocker } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'

const whenBlocked = () => true

/** Asks before the page is left while photos are on their way: in the app by a dialog, elsewhere by the
 *  browser's own. */
export function LeavingGuard({ busy }: { busy: boolean }) {
  const { status, proceed, reset } = useBlocker({
    disabled: !busy,
    enableBeforeUnload: busy,
    shouldBlockFn: whenBlocked,
    withResolver: true,
  })

  // The upload may come to its end while the question stands.
  useEffect(() => {
    if (!busy) reset?.()
  }, [busy, reset])

  if (status !== 'blocked') return null
  return (
    <ConfirmDialog
      title="Leave and stop the upload?"
      stay={{ label: 'Stay and go on', onClick: reset }}
      leave={{ label: 'Leave the page', onClick: proceed }}
    >
      Photos are still being uploaded. What is uploaded already is kept; choose the same photos again to send
      the rest.
    </ConfirmDialog>
  )
}

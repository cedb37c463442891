import { useBlocker } from '@tanstack/react-router'
import { useEffect } from 'react'
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
      title="Leave and stop the upload?"
      stay={{ label: 'Stay and go on', onClick: reset }}
      leave={{ label: 'Leave the page', onClick: proceed }}
    >
      Photos are still being uploaded. Photos that are already uploaded are kept. To send the rest later,
      choose the same photos again.
    </ConfirmDialog>
  )
}

import { useRef, useState } from 'react'
import type { OptOutOutput } from '../../../../src/contract/opt-outs.ts'
import { optOut as texts } from '../../../../src/texts/english/opt-outs.ts'
import { KEPT } from '../../../lib/persisted.ts'
import { trpc } from '../../../trpc.ts'
import { Button } from '../../../ui/button.tsx'
import { Modal } from '../../../ui/modal.tsx'
import { useSearch } from '../search/use-search.tsx'
import { OptOutForm, type OptOutFormProps } from './opt-out-form.tsx'
import { OptOutReceipt } from './opt-out-receipt.tsx'

/** The entry below the results, and its dialog: first the question, then the receipt. */
export function OptOut(props: Pick<OptOutFormProps, 'optOut' | 'searchToken'>) {
  const { albumName, searchAgain } = useSearch()
  const [isOpen, setIsOpen] = useState(false)
  const [receipt, setReceipt] = useState<OptOutOutput>()
  const endAlert = trpc.alerts.end.useMutation({ onSuccess: () => KEPT.alert.forget(albumName) })
  const first = useRef<HTMLHeadingElement>(null)

  /** Letters that were asked for in this browser end, too. The receipt says how to end others. */
  function finish(taken: OptOutOutput) {
    setReceipt(taken)
    const alert = KEPT.alert.read(albumName)
    if (alert) endAlert.mutate({ token: alert.endToken })
  }

  function close() {
    setIsOpen(false)
    // The results no longer hold.
    if (receipt) searchAgain()
  }

  return (
    <>
      <div className="flex justify-center">
        <Button look="quiet" onClick={() => setIsOpen(true)}>
          {texts.title}
        </Button>
      </div>
      {isOpen && (
        <Modal labelledBy="opt-out" first={first} onClose={close}>
          {receipt ? (
            <OptOutReceipt receipt={receipt} lettersEnded={endAlert.isSuccess} onClose={close} />
          ) : (
            <OptOutForm {...props} heading={first} onCancel={close} onOptedOut={finish} />
          )}
        </Modal>
      )}
    </>
  )
}

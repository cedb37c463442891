import { useRef, useState } from 'react'
import type { TakeOutOutput } from '../../../src/contract/take-out.ts'
import { takeOut as texts } from '../../../src/texts/english.ts'
import { trpc } from '../../trpc.ts'
import { Button } from '../../ui/button.tsx'
import { Modal } from '../../ui/modal.tsx'
import { forgetKeptAlert, readKeptAlert } from './kept-alert.ts'
import { type TakeMeOutProps, TakeOutForm } from './take-out-form.tsx'
import { TakeOutReceipt } from './take-out-receipt.tsx'

/** The entry below the results, and its dialog: first the question, then the receipt. */
export function TakeMeOut({ albumName, takeOut, found, onTakenOut }: TakeMeOutProps) {
  const [isOpen, setIsOpen] = useState(false)
  const [receipt, setReceipt] = useState<TakeOutOutput>()
  const [lettersEnded, setLettersEnded] = useState(false)
  const endAlert = trpc.alerts.end.useMutation({
    onSuccess() {
      forgetKeptAlert(albumName)
      setLettersEnded(true)
    },
  })
  const first = useRef<HTMLHeadingElement>(null)

  /** Letters that were asked for in this browser end, too. The receipt says how to end others. */
  function finish(taken: TakeOutOutput) {
    setReceipt(taken)
    const alert = readKeptAlert(albumName)
    if (alert) endAlert.mutate({ token: alert.endToken })
  }

  function close() {
    setIsOpen(false)
    if (receipt) onTakenOut()
  }

  return (
    <>
      <div className="flex justify-center">
        <Button look="quiet" onClick={() => setIsOpen(true)}>
          {texts.title}
        </Button>
      </div>
      {isOpen && (
        <Modal labelledBy="take-out" first={first} onClose={close}>
          {receipt ? (
            <TakeOutReceipt receipt={receipt} lettersEnded={lettersEnded} onClose={close} />
          ) : (
            <TakeOutForm
              albumName={albumName}
              takeOut={takeOut}
              found={found}
              heading={first}
              onCancel={close}
              onTakenOut={finish}
            />
          )}
        </Modal>
      )}
    </>
  )
}

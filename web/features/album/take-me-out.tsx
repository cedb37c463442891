import { useRef, useState } from 'react'
import type { SearchOutput } from '../../../src/contract/search.ts'
import type { TakeOutOutput } from '../../../src/contract/take-out.ts'
import { Button } from '../../ui/button.tsx'
import { Modal } from '../../ui/modal.tsx'
import type { Found } from './found.ts'
import { TakeOutForm } from './take-out-form.tsx'
import { TakeOutReceipt } from './take-out-receipt.tsx'

export interface TakeMeOutProps {
  albumName: string
  /** What the search has found, for the call. */
  takeOut: NonNullable<SearchOutput['takeOut']>
  found: Found
  /** The guest has been taken out: the results no longer hold. */
  onTakenOut: () => void
}

/** The entry below the results, and its dialog: first the question, then the receipt. */
export function TakeMeOut({ albumName, takeOut, found, onTakenOut }: TakeMeOutProps) {
  const [isOpen, setIsOpen] = useState(false)
  const [receipt, setReceipt] = useState<TakeOutOutput>()
  const first = useRef<HTMLHeadingElement>(null)

  function close() {
    setIsOpen(false)
    if (receipt) onTakenOut()
  }

  return (
    <>
      <div className="flex justify-center">
        <Button look="quiet" onClick={() => setIsOpen(true)}>
          Take me out of this album
        </Button>
      </div>
      {isOpen && (
        <Modal labelledBy="take-out" first={first} onClose={close}>
          {receipt ? (
            <TakeOutReceipt receipt={receipt} onClose={close} />
          ) : (
            <TakeOutForm
              albumName={albumName}
              takeOut={takeOut}
              found={found}
              heading={first}
              onCancel={close}
              onTakenOut={setReceipt}
            />
          )}
        </Modal>
      )}
    </>
  )
}

import { useEffect, useRef } from 'react'
import type { TakeOutOutput } from '../../../src/contract/take-out.ts'
import { common, takeOutReceipt as texts } from '../../../src/texts/english.ts'
import { formatDate } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { CopyLine } from '../../ui/copy-line.tsx'

export interface TakeOutReceiptProps {
  receipt: TakeOutOutput
  /** The letters about new photos that were asked for in this browser have ended. */
  lettersEnded: boolean
  onClose: () => void
}

export function TakeOutReceipt({ receipt, lettersEnded, onClose }: TakeOutReceiptProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  // It replaces the question, which had the focus.
  useEffect(() => heading.current?.focus(), [])

  return (
    <>
      <h2 id="take-out" ref={heading} tabIndex={-1} className="text-heading font-semibold outline-none">
        {texts.title}
      </h2>
      <ul className="mt-3 list-disc space-y-1.5 ps-5 text-ink-soft">
        <li>{texts.removed(receipt.facesRemoved, formatDate(receipt.at))}</li>
        {receipt.photosToHide > 0 && <li>{texts.hide(receipt.photosToHide)}</li>}
        {receipt.isKeptOut && <li>{texts.keptOut}</li>}
        <li>{lettersEnded ? texts.lettersEnded : texts.lettersLater}</li>
      </ul>
      <p className="mt-4 text-sm text-ink-soft">{texts.number}</p>
      <CopyLine name={texts.numberName} value={receipt.receipt} />
      <div className="mt-6 flex justify-end">
        <Button onClick={onClose} className="max-sm:w-full">
          {common.done}
        </Button>
      </div>
    </>
  )
}

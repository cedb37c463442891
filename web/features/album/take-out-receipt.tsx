import { useEffect, useRef } from 'react'
import type { TakeOutOutput } from '../../../src/contract/take-out.ts'
import { countOf, formatDate } from '../../lib/format.ts'
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
        You have been taken out
      </h2>
      <ul className="mt-3 list-disc space-y-1.5 ps-5 text-ink-soft">
        <li>
          {countOf(receipt.facesRemoved, 'face')} {receipt.facesRemoved === 1 ? 'was' : 'were'} removed from
          the search on {formatDate(receipt.at)}. The photos stay in the album.
        </li>
        {receipt.photosToHide > 0 && (
          <li>The organiser is asked to hide {countOf(receipt.photosToHide, 'photo')}.</li>
        )}
        {receipt.isKeptOut && (
          <li>
            Your face is left out of photos that are added later. The encrypted description of it is deleted
            with the album.
          </li>
        )}
        <li>
          {lettersEnded
            ? 'The letters about new photos of you have ended.'
            : 'If you get letters about new photos of you, the link in each of them ends them.'}
        </li>
      </ul>
      <p className="mt-4 text-sm text-ink-soft">The number of this receipt. It does not say who you are:</p>
      <CopyLine name="receipt number" value={receipt.receipt} />
      <div className="mt-6 flex justify-end">
        <Button onClick={onClose} className="max-sm:w-full">
          Done
        </Button>
      </div>
    </>
  )
}

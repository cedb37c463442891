import type { OptOutOutput } from '../../../../src/contract/opt-outs.ts'
import { PAGES } from '../../../../src/contract/pages.ts'
import { optOutReceipt as texts } from '../../../../src/texts/english/opt-outs.ts'
import * as common from '../../../../src/texts/english/words.ts'
import { takeFocus } from '../../../lib/focus.ts'
import { trpc } from '../../../trpc.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyLine } from '../../../ui/copy-line.tsx'
import { FailureNotice } from '../../../ui/loading.tsx'
import { canUndo, sentenceOf } from './opt-out-state.ts'

export interface OptOutReceiptProps {
  receipt: OptOutOutput
  /** The letters about new photos that were asked for in this browser have ended. */
  lettersEnded: boolean
  onClose: () => void
}

export function OptOutReceipt({ receipt, lettersEnded, onClose }: OptOutReceiptProps) {
  const undo = trpc.optOuts.undo.useMutation()
  const now = undo.data ?? receipt

  return (
    <>
      {/* It replaces the question, or the former state, which had the focus. */}
      <h2
        key={now.state}
        id="opt-out"
        ref={takeFocus}
        tabIndex={-1}
        className="text-heading font-semibold outline-none"
      >
        {texts.title[now.state]}
      </h2>
      <p className="mt-2 text-ink-soft">{sentenceOf(now)}</p>
      {canUndo(now) && (
        <>
          <ul className="mt-3 list-disc space-y-1.5 ps-5 text-ink-soft">
            <li>{texts.photosStay}</li>
            {receipt.photosToHide > 0 && <li>{texts.hide(receipt.photosToHide)}</li>}
            {receipt.isKeptOut && <li>{texts.keptOut}</li>}
            <li>{lettersEnded ? texts.lettersEnded : texts.lettersLater}</li>
          </ul>
          <p className="mt-4">{texts.keep}</p>
          <CopyLine
            name={texts.linkName}
            value={`${window.location.origin}${PAGES.optOut.path}#${receipt.receipt}`}
          />
        </>
      )}
      <FailureNotice error={undo.error} className="mt-5" title={texts.notUndone} />
      <div className="mt-6 flex flex-wrap-reverse justify-end gap-3">
        {canUndo(now) && (
          <Button
            look="secondary"
            className="max-sm:w-full"
            busy={undo.isPending}
            disabled={undo.isPending}
            onClick={() => undo.mutate({ receipt: receipt.receipt })}
          >
            {undo.isPending ? texts.undoing : texts.undo}
          </Button>
        )}
        <Button onClick={onClose} className="max-sm:w-full">
          {common.done}
        </Button>
      </div>
    </>
  )
}

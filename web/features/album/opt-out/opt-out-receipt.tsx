import type { OptOutOutput } from '../../../../src/contract/opt-outs.ts'
import { PAGES } from '../../../../src/contract/pages.ts'
import { optOutReceipt as texts } from '../../../../src/texts/english/opt-outs.ts'
import * as common from '../../../../src/texts/english/words.ts'
import { takeFocus } from '../../../lib/focus.ts'
import { formatMoment } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { buttonLook } from '../../../ui/button-look.ts'
import { CopyLine } from '../../../ui/copy-line.tsx'

export interface OptOutReceiptProps {
  receipt: OptOutOutput
  /** The letters about new photos that were asked for in this browser have ended. */
  lettersEnded: boolean
  onClose: () => void
}

/** What the guest should know and keep. Its page undoes the opt-out. */
export function OptOutReceipt({ receipt, lettersEnded, onClose }: OptOutReceiptProps) {
  const { state, faces, eraseAt, photosToHide, isKeptOut } = receipt
  const link = `${window.location.origin}${PAGES.optOut.path}#${receipt.receipt}`
  return (
    <>
      {/* It replaces the question, which had the focus. */}
      <h2 id="opt-out" ref={takeFocus} tabIndex={-1} className="text-heading font-semibold outline-none">
        {texts.title[state]}
      </h2>
      <p className="mt-2 text-ink-soft">{texts[state](faces, formatMoment(eraseAt))}</p>
      <ul className="mt-3 list-disc space-y-1.5 ps-5 text-ink-soft">
        <li>{texts.photosStay}</li>
        {photosToHide > 0 && <li>{texts.hide(photosToHide)}</li>}
        {isKeptOut && <li>{texts.keptOut}</li>}
        <li>{lettersEnded ? texts.lettersEnded : texts.lettersLater}</li>
      </ul>
      <p className="mt-4">{texts.keep}</p>
      <CopyLine name={texts.linkName} value={link} />
      <div className="mt-6 flex flex-wrap-reverse justify-end gap-3">
        {/* For an address with a #, the router would not scroll to the top. */}
        <a href={link} className={`${buttonLook('secondary')} max-sm:w-full`}>
          {texts.undo}
        </a>
        <Button onClick={onClose} className="max-sm:w-full">
          {common.done}
        </Button>
      </div>
    </>
  )
}

import { useRef, useState } from 'react'
import type { OptOutOutput } from '../../../../src/contract/opt-outs.ts'
import { PAGES } from '../../../../src/contract/pages.ts'
import type { FoundPhoto, SearchOutput } from '../../../../src/contract/search.ts'
import { optOutReceipt as receiptTexts, optOut as texts } from '../../../../src/texts/english/opt-outs.ts'
import * as common from '../../../../src/texts/english/words.ts'
import { formatMoment } from '../../../lib/format.ts'
import { KEPT } from '../../../lib/persisted.ts'
import { trpc } from '../../../trpc.ts'
import { Button } from '../../../ui/button.tsx'
import { buttonLook } from '../../../ui/button-look.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { CopyLine } from '../../../ui/copy-line.tsx'
import { FailureNotice } from '../../../ui/loading.tsx'
import { Modal } from '../../../ui/modal.tsx'
import { cropAround } from '../../photos/crop-around.ts'
import { pathOf } from '../../photos/photo-path.ts'
import { PhotoThumb } from '../../photos/photo-thumb.tsx'
import { useFound, useSearch } from '../search/use-search.tsx'

/** The entry below the results, and its dialog: first the question, then the receipt. A search that does not show who is asking needs
 *  a new selfie instead. */
export function OptOut() {
  const { albumName, startOver } = useSearch()
  const { optOut, optOutNeedsNewSelfie } = useFound()
  const [isOpen, setIsOpen] = useState(false)
  const [receipt, setReceipt] = useState<OptOutOutput>()
  const endAlert = trpc.alerts.end.useMutation({ onSuccess: () => KEPT.alert.forget(albumName) })
  const heading = useRef<HTMLHeadingElement>(null)

  /** Letters that were asked for in this browser end, too. The receipt says how to end others. */
  function finish(taken: OptOutOutput) {
    setReceipt(taken)
    // The pressed button goes away.
    heading.current?.focus()
    const alert = KEPT.alert.read(albumName)
    if (alert) endAlert.mutate({ token: alert.endToken })
  }

  function close() {
    setIsOpen(false)
    // The results no longer hold.
    if (receipt) startOver()
  }

  if (!optOut && !optOutNeedsNewSelfie) return null
  return (
    <>
      <div className="flex justify-center">
        <Button look="quiet" onClick={() => setIsOpen(true)}>
          {texts.title}
        </Button>
      </div>
      {isOpen && (
        <Modal labelledBy="opt-out" first={heading} onClose={close}>
          <h2 id="opt-out" ref={heading} tabIndex={-1} className="text-heading font-semibold outline-none">
            {receipt ? receiptTexts.title[receipt.state] : texts.title}
          </h2>
          {receipt ? (
            <Receipt receipt={receipt} lettersEnded={endAlert.isSuccess} onClose={close} />
          ) : optOut ? (
            <Question optOut={optOut} onCancel={close} onOptedOut={finish} />
          ) : (
            <>
              <p className="mt-2 text-ink-soft">{texts.newSelfieText}</p>
              <div className="mt-6 flex flex-wrap-reverse justify-end gap-3">
                <Button look="secondary" onClick={close} className="max-sm:w-full">
                  {common.cancel}
                </Button>
                <Button onClick={() => startOver()} className="max-sm:w-full">
                  {texts.newSelfie}
                </Button>
              </div>
            </>
          )}
        </Modal>
      )}
    </>
  )
}

interface QuestionProps {
  optOut: NonNullable<SearchOutput['optOut']>
  onCancel: () => void
  onOptedOut: (receipt: OptOutOutput) => void
}

type WithFace = FoundPhoto & Required<Pick<FoundPhoto, 'face'>>

function Question({ optOut, onCancel, onOptedOut }: QuestionProps) {
  const { albumName } = useSearch()
  const { photos, asked, person } = useFound()
  const searchToken = person.searchToken!
  const [except, setExcept] = useState<string[]>([])
  const [wishes, setWishes] = useState({ hidePhotos: false, keepOut: false })
  const call = trpc.albums.optOut.useMutation({ onSuccess: onOptedOut })
  const confirmed = asked.filter(({ isMe }) => isMe).map(({ photo }) => pathOf(photo))
  const faces = photos.filter(
    (photo): photo is WithFace => photo.face !== undefined && !confirmed.includes(pathOf(photo)),
  )
  const more = optOut.count - faces.length
  const count = optOut.count - except.length

  return (
    <>
      <p className="mt-2 text-ink-soft">{texts.explanation}</p>
      <p className="mt-2 text-ink-soft">{texts.numbers}</p>
      <fieldset className="mt-5">
        <legend className="font-medium">{texts.faces}</legend>
        <div className="mt-3 grid max-h-60 grid-cols-4 gap-2 overflow-y-auto p-1 sm:grid-cols-6">
          {faces.map((photo, index) => (
            <label
              key={photo.face.id}
              className="relative block overflow-hidden rounded-md has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
            >
              <PhotoThumb
                src={photo.thumbUrl}
                face={cropAround(photo.face.box, photo)}
                alt=""
                className={`aspect-square transition-opacity ${except.includes(photo.face.id) ? 'opacity-35' : ''}`}
              />
              <input
                type="checkbox"
                aria-label={texts.face(index + 1)}
                checked={!except.includes(photo.face.id)}
                onChange={({ target }) =>
                  setExcept(
                    target.checked ? except.filter((id) => id !== photo.face.id) : [...except, photo.face.id],
                  )
                }
                className="absolute end-1.5 bottom-1.5 size-5 accent-accent"
              />
            </label>
          ))}
        </div>
        {more > 0 && (
          <p className="mt-2 text-sm text-ink-soft">
            {faces.length > 0 ? texts.more(more) : texts.found(more)}
          </p>
        )}
        {confirmed.length > 0 && <p className="mt-2 text-sm text-ink-soft">{texts.onlyRecognised}</p>}
      </fieldset>
      <div className="mt-5 space-y-4">
        <Checkbox
          label={texts.hide}
          checked={wishes.hidePhotos}
          onChange={(hidePhotos) => setWishes({ ...wishes, hidePhotos })}
        >
          {texts.hideText}
        </Checkbox>
        {optOut.canKeepOut && (
          <Checkbox
            label={texts.keepOut}
            checked={wishes.keepOut}
            onChange={(keepOut) => setWishes({ ...wishes, keepOut })}
          >
            {texts.keepOutText}
          </Checkbox>
        )}
      </div>
      <FailureNotice error={call.error} className="mt-5" title={texts.failed} />
      <div className="mt-6 flex flex-wrap-reverse justify-end gap-3">
        <Button look="secondary" onClick={onCancel} className="max-sm:w-full">
          {common.cancel}
        </Button>
        <Button
          className="max-sm:w-full"
          busy={call.isPending}
          disabled={call.isPending || count <= 0}
          onClick={() => call.mutate({ albumName, searchToken, except, ...wishes })}
        >
          {call.isPending ? texts.hiding : texts.hideFaces(Math.max(0, count))}
        </Button>
      </div>
    </>
  )
}

interface ReceiptProps {
  receipt: OptOutOutput
  /** The letters about new photos that were asked for in this browser have ended. */
  lettersEnded: boolean
  onClose: () => void
}

/** What the guest should know and keep. Its page undoes the opt-out. */
function Receipt({ receipt, lettersEnded, onClose }: ReceiptProps) {
  const { state, faces, eraseAt, photosToHide, isKeptOut } = receipt
  const link = `${window.location.origin}${PAGES.optOut.path}#${receipt.receipt}`
  return (
    <>
      <p className="mt-2 text-ink-soft">{receiptTexts[state](faces, formatMoment(eraseAt))}</p>
      <ul className="mt-3 list-disc space-y-1.5 ps-5 text-ink-soft">
        <li>{receiptTexts.photosStay}</li>
        {photosToHide > 0 && <li>{receiptTexts.hide(photosToHide)}</li>}
        {isKeptOut && <li>{receiptTexts.keptOut}</li>}
        <li>{lettersEnded ? receiptTexts.lettersEnded : receiptTexts.lettersLater}</li>
      </ul>
      <p className="mt-4">{receiptTexts.keep}</p>
      <CopyLine name={receiptTexts.linkName} value={link} />
      <div className="mt-6 flex flex-wrap-reverse justify-end gap-3">
        {/* For an address with a #, the router would not scroll to the top. */}
        <a href={link} className={`${buttonLook('secondary')} max-sm:w-full`}>
          {receiptTexts.undo}
        </a>
        <Button onClick={onClose} className="max-sm:w-full">
          {common.done}
        </Button>
      </div>
    </>
  )
}

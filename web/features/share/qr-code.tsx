import { correction, generate } from 'lean-qr'
import { toSvgPath } from 'lean-qr/extras/svg'
import { useId, useMemo, useRef, useState } from 'react'
import { qrCode as texts } from '../../../src/texts/english/organiser.ts'
import * as common from '../../../src/texts/english/words.ts'
import { DownloadIcon } from '../../ui/action-icons.tsx'
import { Button } from '../../ui/button.tsx'
import { buttonLook } from '../../ui/button-look.ts'
import { Modal } from '../../ui/modal.tsx'

/** The white edge that scanners need, in modules: ISO/IEC 18004. */
const QUIET_ZONE = 4
/** The side of the saved picture in pixels: 10 cm in print. */
const PICTURE_SIDE = 1_200

type Code = ReturnType<typeof generate>

/** A quarter of the code may be covered or dirty. */
export const codeOf = (address: string): Code => generate(address, { minCorrectionLevel: correction.Q })

export interface QrCodeProps {
  displayName: string
  albumName: string
  address: string
}

/** The code of an address. It opens large, to be scanned from this screen or saved to be printed. */
export default function QrCode(props: QrCodeProps) {
  const [isLarge, setLarge] = useState(false)
  const code = useMemo(() => codeOf(props.address), [props.address])
  return (
    <>
      <button
        type="button"
        aria-label={texts.showLarge}
        onClick={() => setLarge(true)}
        className="size-full cursor-zoom-in rounded-md transition duration-150 hover:opacity-85"
      >
        <Drawing code={code} />
      </button>
      {isLarge && <LargeCode {...props} code={code} onClose={() => setLarge(false)} />}
    </>
  )
}

interface LargeCodeProps extends QrCodeProps {
  code: Code
  onClose: () => void
}

function LargeCode({ code, displayName, albumName, address, onClose }: LargeCodeProps) {
  const close = useRef<HTMLButtonElement>(null)
  const id = useId()
  const picture = useMemo(() => pictureOf(code), [code])
  return (
    <Modal labelledBy={id} first={close} onClose={onClose}>
      <h2 id={id} className="text-heading font-semibold">
        {displayName}
      </h2>
      <p className="mt-1 text-ink-soft">{texts.explanation}</p>
      <div className="mx-auto mt-5 max-w-[min(100%,52svh)]">
        <Drawing code={code} name={texts.nameOf(address)} />
      </div>
      <p className="mt-3 text-center font-mono text-sm break-all text-ink-soft">{address}</p>
      <div className="mt-6 flex flex-wrap-reverse justify-end gap-3">
        <a
          href={picture}
          download={`${albumName}-qr-code.png`}
          className={`${buttonLook('secondary')} max-sm:w-full`}
        >
          <DownloadIcon />
          {texts.save}
        </a>
        <Button ref={close} onClick={onClose} className="max-sm:w-full">
          {common.close}
        </Button>
      </div>
    </Modal>
  )
}

/** Black on white in dark mode, too: many scanners do not read the reverse.
 *  @param name for screen readers; without one the drawing is decoration */
export function Drawing({ code, name }: { code: Code; name?: string }) {
  const side = code.size + 2 * QUIET_ZONE
  return (
    <svg
      viewBox={`${-QUIET_ZONE} ${-QUIET_ZONE} ${side} ${side}`}
      shapeRendering="crispEdges"
      className="block w-full rounded-md bg-white"
      role="img"
      aria-label={name}
      aria-hidden={name === undefined}
    >
      <path d={toSvgPath(code)} fill="black" />
    </svg>
  )
}

/** @returns a PNG as a data address */
function pictureOf(code: Code): string {
  const scale = Math.ceil(PICTURE_SIDE / (code.size + 2 * QUIET_ZONE))
  return code.toDataURL({ on: [0, 0, 0], off: [255, 255, 255], pad: QUIET_ZONE, scale })
}

import { correction, generate } from 'lean-qr'
import { toSvgPath } from 'lean-qr/extras/svg'
import { useMemo } from 'react'
import { qrCode as texts } from '../../../src/texts/english/organiser.ts'

/** The white edge that scanners need, in modules: ISO/IEC 18004. */
const QUIET_ZONE = 4
/** The side of the saved picture in pixels: 10 cm in print. */
const PICTURE_SIDE = 1_200

type Code = ReturnType<typeof generate>

/** A quarter of the code may be covered or dirty. */
export const codeOf = (address: string): Code => generate(address, { minCorrectionLevel: correction.Q })

/** The code of an address. A press saves it as a picture, to be printed.
 *  @param name of the picture */
export default function QrCode({ name, address }: { name: string; address: string }) {
  const code = useMemo(() => codeOf(address), [address])
  const picture = useMemo(() => pictureOf(code), [code])
  return (
    <a
      href={picture}
      download={`${name}-qr-code.png`}
      aria-label={texts.save}
      className="block size-full rounded-md transition duration-150 hover:opacity-85"
    >
      <Drawing code={code} />
    </a>
  )
}

/** Black on white in dark mode, too: many scanners do not read the reverse. */
export function Drawing({ code }: { code: Code }) {
  const side = code.size + 2 * QUIET_ZONE
  return (
    <svg
      viewBox={`${-QUIET_ZONE} ${-QUIET_ZONE} ${side} ${side}`}
      shapeRendering="crispEdges"
      className="block w-full rounded-md bg-white"
      aria-hidden="true"
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

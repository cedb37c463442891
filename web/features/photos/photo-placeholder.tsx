import { useEffect, useRef } from 'react'

export interface PhotoPlaceholderProps {
  /** As in the contract: base64 of 12 colours. */
  colours: string
  /** Whether the photo is higher than wide. */
  isHigh: boolean
  className?: string
}

/** The few colours of a photo that has not loaded yet. They look blurred, because the browser stretches them. */
export function PhotoPlaceholder({ colours, isHigh, className }: PhotoPlaceholderProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const context = canvas.current!.getContext('2d')!
    const pixels = context.createImageData(canvas.current!.width, canvas.current!.height)
    const bytes = atob(colours)
    for (let pixel = 0; pixel < pixels.data.length / 4; pixel++) {
      for (let part = 0; part < 3; part++) pixels.data[4 * pixel + part] = bytes.charCodeAt(3 * pixel + part)
      pixels.data[4 * pixel + 3] = 255
    }
    context.putImageData(pixels, 0, 0)
  }, [colours])
  const [width, height] = isHigh ? [3, 4] : [4, 3]
  return <canvas ref={canvas} width={width} height={height} className={className} />
}

import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { PhotosIcon } from '../../ui/icons.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

export interface PhotoThumbProps {
  /** The thumbnail's address. A fresh one is used unless the photo is already shown. Give each photo a component of
   *  its own (`key`). */
  src: string
  /** Empty when the links over it name the photo. */
  alt: string
  /** Names the photo in the failed state. */
  filename: string
  /** For photos that are visible at first. The others load when they are scrolled to. */
  eager?: boolean
  /** When the address was issued, ms since 1970. A photo that failed is loaded again when this changes, also with the
   *  same address. */
  issued?: number
  /** Whether a fresh address is on its way. Until then a failure looks like loading. */
  isRenewing?: boolean
  /** The address did not load. */
  onFail?: () => void
  /** The visitor asks for the photo again. The component loads it again, too. */
  onRetry?: () => void
  /** Shape and size of the box. They never change. */
  className?: string
  /** What is shown over the photo, such as links to it. It is missing while the photo has failed. */
  children?: ReactNode
}

type State = 'loading' | 'shown' | 'failed'

/** A photo's thumbnail in a box: a skeleton while it loads, and a button to try again when it does not load. */
export function PhotoThumb(props: PhotoThumbProps) {
  const { src, alt, filename, issued, eager = false, isRenewing = false, className = '' } = props
  const [state, setState] = useState<State>('loading')
  const [attempt, setAttempt] = useState(0)
  const [taken, setTaken] = useState({ src, issued })
  if (state !== 'shown' && (taken.src !== src || taken.issued !== issued)) {
    setTaken({ src, issued })
    setState('loading')
  }

  const box = useRef<HTMLDivElement>(null)
  const retriedByHand = useRef(false)
  // The button that had the focus has been removed.
  useEffect(() => {
    if (state === 'loading' || !retriedByHand.current) return
    retriedByHand.current = false
    if (document.activeElement === document.body)
      box.current?.querySelector<HTMLElement>('a, button')?.focus({ preventScroll: true })
  }, [state])

  function retry() {
    retriedByHand.current = true
    setState('loading')
    setAttempt(attempt + 1)
    props.onRetry?.()
  }

  const hasFailed = state === 'failed' && !isRenewing
  return (
    <div ref={box} className={`relative overflow-hidden bg-sunken ${className}`}>
      {state !== 'shown' && !hasFailed && <Skeleton className="absolute inset-0 rounded-none bg-line" />}
      {state !== 'failed' && (
        <img
          // Only a new element loads the same address again.
          key={attempt}
          src={taken.src}
          alt={alt}
          loading={eager ? 'eager' : 'lazy'}
          decoding="async"
          onLoad={() => setState('shown')}
          onError={() => {
            setState('failed')
            props.onFail?.()
          }}
          className={`absolute inset-0 size-full object-cover transition-[opacity,transform] duration-300 ease-settle group-hover:scale-[1.03] ${state === 'shown' ? '' : 'opacity-0'}`}
        />
      )}
      {hasFailed ? (
        <div className="absolute inset-0 flex flex-col items-center justify-center p-2 text-center text-sm text-ink-soft">
          <PhotosIcon className="size-7" />
          <span className="mt-1.5">Not loaded</span>
          <Button
            look="quiet"
            className="px-3! text-sm! text-ink"
            aria-label={`Try again to load ${filename}`}
            onClick={retry}
          >
            Try again
          </Button>
        </div>
      ) : (
        props.children
      )}
    </div>
  )
}

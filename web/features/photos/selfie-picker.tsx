import { Suspense, useEffect, useRef } from 'react'
import { lazyPart, orNothing, usePreload } from '../../lib/lazy-part.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { SelfieDrop } from './selfie-input/selfie-drop.tsx'

const loadChosen = () => import('./selfie-input/selfie-card.tsx')
const SelfieCard = lazyPart(async () => ({ default: (await loadChosen()).SelfieCard }))
const MoreSelfies = lazyPart(() =>
  loadChosen().then(({ MoreSelfies }) => ({ default: MoreSelfies }), orNothing),
)

export interface SelfiePickerProps {
  selfies: readonly File[]
  /** How many may be chosen. */
  most: number
  disabled?: boolean
  /** What the empty drop area says. */
  title?: string
  /** Moves the focus here when it appears, because it replaces what the visitor was using. */
  takesFocus?: boolean
  onChange: (selfies: readonly File[]) => void
}

/** Takes photos of the visitor. One is enough. */
export function SelfiePicker(props: SelfiePickerProps) {
  const { selfies, most, disabled = false, title, takesFocus, onChange } = props
  usePreload(SelfieCard)
  usePreload(MoreSelfies)
  const picker = useRef<HTMLDivElement>(null)
  const former = useRef(selfies)

  // The button that had the focus has been removed.
  useEffect(() => {
    const hasChanged = former.current !== selfies
    former.current = selfies
    if (hasChanged ? document.activeElement === document.body : takesFocus)
      [...picker.current!.querySelectorAll<HTMLElement>('[tabindex]:not(input)')].at(-1)?.focus()
  }, [selfies, takesFocus])

  return (
    <div ref={picker} className="space-y-3">
      {selfies.length === 0 && (
        <SelfieDrop disabled={disabled} title={title} onChoose={(selfie) => onChange([selfie])} />
      )}
      {/* Both skeletons are as high as what follows: the button below must not move away from a finger. */}
      <Suspense fallback={<Skeleton className="h-34.5 rounded-xl sm:h-42.5" />}>
        {selfies.map((selfie, place) => (
          <SelfieCard
            // biome-ignore lint/suspicious/noArrayIndexKey: the same file may be chosen twice.
            key={place}
            selfie={selfie}
            disabled={disabled}
            isSmall={selfies.length > 1}
            onRemove={() => onChange(selfies.filter((_, other) => other !== place))}
          />
        ))}
      </Suspense>
      {selfies.length > 0 && selfies.length < most && (
        <Suspense fallback={<Skeleton className="h-11" />}>
          <MoreSelfies disabled={disabled} onChoose={(selfie) => onChange([...selfies, selfie])} />
        </Suspense>
      )}
    </div>
  )
}

import { Suspense, useEffect, useRef } from 'react'
import { selfiePicker as texts } from '../../../src/texts/english/search.ts'
import { lazyPart, usePreload } from '../../lib/lazy-part.ts'
import { Button } from '../../ui/button.tsx'
import { DropArea, UNSEEN } from '../../ui/drop-area.tsx'
import { FaceIcon } from '../../ui/icons.tsx'
import { CameraIcon } from '../../ui/more-icons.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useSelfieInput } from './selfie-input/use-selfie-input.ts'

const SelfieCard = lazyPart(() => import('./selfie-input/selfie-card.tsx'))

export interface SelfiePickerProps {
  selfies: readonly File[]
  /** How many may be chosen. */
  most: number
  disabled?: boolean
  /** What the empty drop area says; it is needed for a photo of somebody else. */
  title?: string
  /** Moves the focus here when it appears, because it replaces what the visitor was using. */
  takesFocus?: boolean
  onChange: (selfies: readonly File[]) => void
}

/** Takes photos of the visitor: by drop, dialog, paste, or the phone's camera. One is enough. */
export function SelfiePicker(props: SelfiePickerProps) {
  const { selfies, most, disabled = false, title = texts.drop, takesFocus, onChange } = props
  usePreload(SelfieCard)
  const next = useSelfieInput(disabled, (selfie) => onChange([...selfies, selfie]))
  const camera = useRef<HTMLInputElement>(null)
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
        <>
          <DropArea
            target={next}
            disabled={disabled}
            label={texts.label}
            icon={<FaceIcon className="size-8" />}
            title={title}
            action={texts.orBrowse}
            hint={texts.hint}
          />
          <input {...next.take} {...UNSEEN} ref={camera} capture="user" />
          <Button
            look="secondary"
            size="lg"
            disabled={disabled}
            onClick={() => camera.current?.click()}
            className="w-full not-pointer-coarse:hidden"
          >
            <CameraIcon />
            {texts.take}
          </Button>
        </>
      )}
      {/* As high as what follows: the button below must not move away from a finger. */}
      <Suspense fallback={<Skeleton className="h-34.5 rounded-xl sm:h-42.5" />}>
        {selfies.map((selfie, place) => (
          <SelfieCard
            // biome-ignore lint/suspicious/noArrayIndexKey: the same file may be chosen twice.
            key={place}
            selfie={selfie}
            disabled={disabled}
            onRemove={() => onChange(selfies.filter((_, other) => other !== place))}
          />
        ))}
      </Suspense>
      {selfies.length > 0 && selfies.length < most && (
        <>
          {/* A phone's dialog offers its camera, too. */}
          <input {...next.input} {...UNSEEN} />
          <Button look="secondary" disabled={disabled} onClick={next.open} className="w-full">
            <CameraIcon />
            {texts.add}
          </Button>
        </>
      )}
    </div>
  )
}

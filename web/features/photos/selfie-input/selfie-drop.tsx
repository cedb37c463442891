import { Suspense, useRef } from 'react'
import { selfiePicker as texts } from '../../../../src/texts/english/search.ts'
import { lazyPart, orNothing } from '../../../lib/lazy-part.ts'
import { Button } from '../../../ui/button.tsx'
import { DropArea, UNSEEN } from '../../../ui/drop-area.tsx'
import { FaceIcon } from '../../../ui/icons.tsx'
import { CameraIcon } from '../../../ui/more-icons.tsx'
import { type SelfieInputOptions, useSelfieInput } from './use-selfie-input.ts'

const HeicHelp = lazyPart(() => import('./heic-help.tsx').catch(orNothing))

/** Takes one photo of the visitor: by drop, dialog, paste, or the phone's camera.
 *  @param title what the drop area says; it is needed for a photo of somebody else */
export function SelfieDrop({
  title = texts.drop,
  ...options
}: SelfieInputOptions & { title?: string | undefined }) {
  const { disabled } = options
  const selfie = useSelfieInput(options)
  const camera = useRef<HTMLInputElement>(null)
  return (
    <>
      <DropArea
        target={selfie}
        disabled={disabled}
        label={texts.label}
        icon={<FaceIcon className="size-8" />}
        title={title}
        action={texts.orBrowse}
        hint={texts.hint}
      />
      <input {...selfie.take} {...UNSEEN} ref={camera} capture="user" />
      <Button
        look="secondary"
        size="lg"
        disabled={disabled}
        onClick={() => camera.current?.click()}
        className="mt-3 w-full not-pointer-coarse:hidden"
      >
        <CameraIcon />
        {texts.take}
      </Button>
      {selfie.wasHeic && (
        <Suspense>
          <HeicHelp />
        </Suspense>
      )}
    </>
  )
}

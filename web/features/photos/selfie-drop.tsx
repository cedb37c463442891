import { useRef } from 'react'
import { selfiePicker as texts } from '../../../src/texts/english.ts'
import { Button } from '../../ui/button.tsx'
import { DropArea, UNSEEN } from '../../ui/drop-area.tsx'
import { FaceIcon } from '../../ui/icons.tsx'
import { CameraIcon } from '../../ui/more-icons.tsx'
import { HeicHelp } from './heic-help.tsx'
import { type SelfieInputOptions, useSelfieInput } from './use-selfie-input.ts'

/** Takes one photo of the visitor: by drop, dialog, paste, or the phone's camera. */
export function SelfieDrop(options: SelfieInputOptions) {
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
        title={texts.drop}
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
      {selfie.wasHeic && <HeicHelp />}
    </>
  )
}

import { selfiePicker as texts } from '../../../src/texts/english.ts'
import { Button } from '../../ui/button.tsx'
import { UNSEEN } from '../../ui/drop-area.tsx'
import { CameraIcon } from '../../ui/more-icons.tsx'
import HeicHelp from './heic-help.tsx'
import { type SelfieInputOptions, useSelfieInput } from './use-selfie-input.ts'

/** Takes one more photo of the same person. A phone's dialog offers its camera, too. */
export default function MoreSelfies(options: SelfieInputOptions) {
  const { input, open, wasHeic } = useSelfieInput(options)
  return (
    <>
      <input {...input} {...UNSEEN} />
      <Button look="secondary" disabled={options.disabled} onClick={open} className="w-full">
        <CameraIcon />
        {texts.add}
      </Button>
      {wasHeic && <HeicHelp />}
    </>
  )
}

import { useDropzone } from 'react-dropzone'
import { selfiePicker as texts } from '../../../src/texts/english.ts'
import { Button } from '../../ui/button.tsx'
import { UNSEEN } from '../../ui/drop-area.tsx'
import { CameraIcon } from '../../ui/more-icons.tsx'
import { HeicHelp } from './heic-help.tsx'
import type { SelfieDropProps } from './selfie-drop.tsx'
import { useSelfieRules } from './use-selfie-rules.ts'

/** Takes one more photo of the same person. A phone's dialog offers its camera, too. */
export function MoreSelfies({ disabled, onChoose }: SelfieDropProps) {
  const { rules, wasHeic } = useSelfieRules({ disabled, onChoose })
  const { getInputProps, open } = useDropzone({ ...rules, noDrag: true })
  return (
    <>
      <input {...getInputProps(UNSEEN)} />
      <Button look="secondary" disabled={disabled} onClick={open} className="w-full">
        <CameraIcon />
        {texts.add}
      </Button>
      {wasHeic && <HeicHelp />}
    </>
  )
}

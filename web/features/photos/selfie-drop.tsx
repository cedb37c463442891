import { useDropzone } from 'react-dropzone'
import { selfiePicker as texts } from '../../../src/texts/english.ts'
import { Button } from '../../ui/button.tsx'
import { DropArea, UNSEEN } from '../../ui/drop-area.tsx'
import { FaceIcon } from '../../ui/icons.tsx'
import { CameraIcon } from '../../ui/more-icons.tsx'
import { HeicHelp } from './heic-help.tsx'
import { useSelfieRules } from './use-selfie-rules.ts'

export interface SelfieDropProps {
  disabled: boolean
  onChoose: (selfie: File) => void
}

/** Takes one photo of the visitor: by drop, dialog, paste, or the phone's camera. */
export function SelfieDrop({ disabled, onChoose }: SelfieDropProps) {
  const { rules, wasHeic } = useSelfieRules({ disabled, onChoose })
  const camera = useDropzone({ ...rules, noDrag: true, noPaste: true })
  return (
    <>
      <DropArea
        options={rules}
        label={texts.label}
        icon={<FaceIcon className="size-8" />}
        title={texts.drop}
        action={texts.orBrowse}
        hint={texts.hint}
      />
      <input {...camera.getInputProps({ ...UNSEEN, capture: 'user' })} />
      <Button
        look="secondary"
        size="lg"
        disabled={disabled}
        onClick={camera.open}
        className="mt-3 w-full not-pointer-coarse:hidden"
      >
        <CameraIcon />
        {texts.take}
      </Button>
      {wasHeic && <HeicHelp />}
    </>
  )
}

import { useEffect, useRef, useState } from 'react'
import { type FileRejection, useDropzone } from 'react-dropzone'
import { plainFilename } from '../../../src/contract/file-names.ts'
import { SELFIE_MAX_BYTES } from '../../../src/contract/limits.ts'
import { formatBytes } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { DropArea, UNSEEN } from '../../ui/drop-area.tsx'
import { CameraIcon, CloseIcon, FaceIcon } from '../../ui/icons.tsx'
import { Notice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toast-store.ts'
import { isHeic } from './heic.ts'
import { PreviewImage } from './preview-image.tsx'
import { SELFIE_TYPES, selfieRejection } from './selfie-file.ts'

export interface SelfiePickerProps {
  selfie: File | null
  disabled?: boolean
  /** Moves the focus here when it appears, because it replaces what the visitor was using. */
  takesFocus?: boolean
  onChange: (selfie: File | null) => void
}

/** Takes one photo of the visitor: by drop, dialog, paste, or the phone's camera. */
export function SelfiePicker({ selfie, disabled = false, takesFocus, onChange }: SelfiePickerProps) {
  const picker = useRef<HTMLDivElement>(null)
  const former = useRef(selfie)
  const [wasHeic, setWasHeic] = useState(false)

  // The button that had the focus has been removed.
  useEffect(() => {
    const hasChanged = former.current !== selfie
    former.current = selfie
    if (hasChanged ? document.activeElement === document.body : takesFocus)
      picker.current?.querySelector<HTMLElement>('[tabindex]:not(input)')?.focus()
  }, [selfie, takesFocus])

  const rules = {
    accept: SELFIE_TYPES,
    minSize: 1,
    maxSize: SELFIE_MAX_BYTES,
    maxFiles: 1,
    multiple: false,
    disabled,
    onDrop: ([photo]: File[], [rejected]: FileRejection[]) => {
      setWasHeic(rejected !== undefined && isHeic(rejected.file))
      // When two files are dropped, only the visitor knows which one is meant.
      if (rejected) toast({ ...selfieRejection(rejected.errors.map((error) => error.code)), tone: 'error' })
      else if (photo) onChange(photo)
    },
  }
  const camera = useDropzone({ ...rules, noDrag: true, noPaste: true })

  if (selfie)
    return (
      <div
        ref={picker}
        className="flex items-center gap-4 rounded-xl border border-line bg-surface p-3 shadow-card"
      >
        <div className="relative size-28 shrink-0 overflow-hidden rounded-lg bg-sunken sm:size-36">
          <PreviewImage file={selfie} alt="Your selfie" className="size-full object-cover" />
          <div aria-hidden="true" className="viewfinder absolute inset-2.5 text-accent" />
        </div>
        <div className="min-w-0 grow">
          <p tabIndex={-1} className="line-clamp-2 font-medium outline-none">
            {plainFilename(selfie.name)}
          </p>
          <p className="text-sm text-ink-soft">{formatBytes(selfie.size)}</p>
          <Button look="quiet" disabled={disabled} onClick={() => onChange(null)} className="mt-1 -ml-4">
            <CloseIcon className="size-4" />
            Remove
          </Button>
        </div>
      </div>
    )

  return (
    <div ref={picker}>
      <DropArea
        options={rules}
        label="Upload a selfie"
        icon={<FaceIcon className="size-8" />}
        title="Drop your selfie here"
        action="or click to browse"
        hint="PNG, JPG, GIF, WEBP up to 10MB"
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
        Take a selfie
      </Button>
      {wasHeic && <HeicHelp />}
    </div>
  )
}

function HeicHelp() {
  return (
    <Notice tone="error" className="mt-3" title="This photo is a HEIC file, the iPhone's own format">
      <p>
        An iPhone can send it as JPEG: open this page on the iPhone and choose the photo from the Photo
        Library.
      </p>
      <p className="mt-1">For new photos as JPEG: Settings › Camera › Formats › Most Compatible.</p>
    </Notice>
  )
}

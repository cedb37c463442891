import { useState } from 'react'
import type { DropzoneOptions, FileRejection } from 'react-dropzone'
import { SELFIE_MAX_BYTES } from '../../../src/contract/limits.ts'
import { toast } from '../../ui/toast-store.ts'
import { isHeic } from './heic.ts'
import { SELFIE_TYPES, selfieRejection } from './selfie-file.ts'

/** What a dropzone accepts as a selfie: one photo at a time.
 *  @returns the dropzone's options, and whether the last file was in the iPhone's own format */
export function useSelfieRules({
  disabled,
  onChoose,
}: {
  disabled: boolean
  onChoose: (selfie: File) => void
}): { rules: DropzoneOptions; wasHeic: boolean } {
  const [wasHeic, setWasHeic] = useState(false)
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
      else if (photo) onChoose(photo)
    },
  }
  return { rules, wasHeic }
}

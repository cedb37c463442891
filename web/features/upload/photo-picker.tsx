import { useDropzone } from 'react-dropzone'
import { PHOTO_MAX_BYTES } from '../../../src/contract/limits.ts'
import { Button } from '../../ui/button.tsx'
import { DropArea, UNSEEN } from '../../ui/drop-area.tsx'
import { FolderIcon, PhotosIcon } from '../../ui/icons.tsx'
import { toast } from '../../ui/toast-store.ts'
import { blockedToast, PHOTO_TYPES, type Rejection } from './accept-photos.ts'
import { readFiles } from './read-files.ts'

/** React's types do not know the attribute, which every browser has. */
const WHOLE_FOLDER = { webkitdirectory: '' }

export interface PhotoPickerProps {
  disabled: boolean
  onPick: (photos: File[]) => void
}

/** Takes photos or whole folders, by drop, dialog or paste. What §5 forbids is named in a toast. */
export function PhotoPicker({ disabled, onPick }: PhotoPickerProps) {
  const rules = {
    accept: PHOTO_TYPES,
    minSize: 1,
    maxSize: PHOTO_MAX_BYTES,
    disabled,
    getFilesFromEvent: readFiles,
    onDrop: (photos: File[], rejected: readonly Rejection[]) => {
      if (photos.length > 0) onPick(photos)
      if (rejected.length > 0) toast({ ...blockedToast(rejected), tone: 'error' })
    },
  }
  const folder = useDropzone({ ...rules, noDrag: true, noPaste: true })

  return (
    <div>
      <DropArea
        options={rules}
        label="Choose photos to upload"
        icon={<PhotosIcon className="size-8" />}
        title="Drop photos or folders here"
        action="or click to browse"
        hint="JPEG and PNG, up to 5 MB each, as many as you like"
      />
      <div className="mt-3 flex justify-center">
        <input {...folder.getInputProps(UNSEEN)} {...WHOLE_FOLDER} />
        <Button
          look="quiet"
          disabled={disabled || folder.isProcessing}
          busy={folder.isProcessing}
          onClick={folder.open}
        >
          {!folder.isProcessing && <FolderIcon />}
          {folder.isProcessing ? 'Reading the files…' : 'Choose a whole folder'}
        </Button>
      </div>
    </div>
  )
}

import { useDropzone } from 'react-dropzone'
import { PHOTO_MAX_BYTES } from '../../../src/contract/limits.ts'
import { photoPicker as texts } from '../../../src/texts/english/upload.ts'
import * as common from '../../../src/texts/english/words.ts'
import { setting } from '../../lib/site-settings.ts'
import { FolderIcon, PhotosIcon } from '../../ui/action-icons.tsx'
import { Button } from '../../ui/button.tsx'
import { DropArea, UNSEEN } from '../../ui/drop-area.tsx'
import { dismissFailures, toast } from '../../ui/toast-store.ts'
import type { UploadHistory } from '../own-albums/upload-history.ts'
import {
  type BlockedFile,
  blockedFiles,
  blockedToast,
  PHOTO_TYPES,
  type Rejection,
  readFiles,
} from './files.ts'

/** React's types do not know this attribute. Every browser does. */
const WHOLE_FOLDER = { webkitdirectory: '' }

/** What the service takes. A page without settings does not know how much an album can hold here. */
function hint(): string {
  const [photos, gigabytes] = setting('album-holds')?.split(' ').map(Number) ?? []
  return photos && gigabytes ? `${texts.hint} ${texts.albumHolds(photos, gigabytes)}` : texts.hint
}

export interface PhotoPickerProps {
  /** A file that this browser has uploaded before is not blocked: it was made smaller. */
  history: UploadHistory
  onPick: (photos: File[]) => void
  onBlocked: (files: BlockedFile[]) => void
}

/** Takes photos or whole folders, by drop, dialog or paste. A toast names the files that §5 forbids. */
export function PhotoPicker({ history, onPick, onBlocked }: PhotoPickerProps) {
  const rules = {
    accept: PHOTO_TYPES,
    minSize: 1,
    maxSize: PHOTO_MAX_BYTES,
    getFilesFromEvent: readFiles,
    onDrop: async (accepted: File[], rejected: readonly Rejection[]) => {
      const uploaded = rejected.filter(({ file }) => history.has(file))
      const photos = [...accepted, ...uploaded.map(({ file }) => file)]
      if (photos.length > 0) onPick(photos)
      // Opening a HEIC photo takes a while. Meanwhile the visitor may begin to upload the others.
      const blocked = await blockedFiles(rejected.filter(({ file }) => !history.has(file)))
      if (blocked.length === 0) return dismissFailures()
      toast({ ...blockedToast(blocked), tone: 'error' })
      onBlocked(blocked)
    },
  }
  const files = useDropzone(rules)
  const folder = useDropzone({ ...rules, noDrag: true, noPaste: true })

  return (
    <div>
      <DropArea
        target={{
          input: files.getInputProps(),
          area: files.getRootProps({ role: 'button' }),
          isOver: files.isDragActive,
          isReading: files.isProcessing,
        }}
        label={texts.label}
        icon={<PhotosIcon className="size-8" />}
        title={texts.drop}
        action={texts.orBrowse}
        hint={hint()}
      />
      <div className="mt-3 flex justify-center">
        <input {...folder.getInputProps(UNSEEN)} {...WHOLE_FOLDER} />
        <Button look="quiet" busy={folder.isProcessing} onClick={folder.open}>
          {!folder.isProcessing && <FolderIcon />}
          {folder.isProcessing ? common.readingFiles : texts.chooseFolder}
        </Button>
      </div>
    </div>
  )
}

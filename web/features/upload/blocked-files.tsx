import { useId } from 'react'
import { plainFilename } from '../../../src/contract/file-names.ts'
import { PHOTO_MAX_BYTES } from '../../../src/contract/limits.ts'
import { blockedFiles as texts } from '../../../src/texts/english/upload.ts'
import { formatBytes } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { identityKey } from '../own-albums/upload-history.ts'
import type { BlockedFile } from './files.ts'
import { canShrink } from './shrink.ts'

/** Lists with more files than this are closed at first. */
const SHORT_LIST = 5

export interface BlockedFilesProps {
  files: readonly BlockedFile[]
  /** While an upload runs, the list can only be read. */
  busy: boolean
  onShrink: (photos: File[]) => void
  onDismiss: () => void
}

/** Every chosen file that was blocked, by reason, with a button that uploads smaller copies of those that are only too
 *  large. */
export function BlockedFiles({ files, busy, onShrink, onDismiss }: BlockedFilesProps) {
  const id = useId()
  const shrinkable = files.filter(({ isShrinkable }) => isShrinkable).map(({ file }) => file)
  if (files.length === 0) return null
  return (
    <Card aria-labelledby={id}>
      <div className="flex min-h-11 items-center justify-between gap-4">
        <h2 id={id} className="text-heading font-semibold">
          {texts.title(files.length)}
        </h2>
        {!busy && (
          <Button look="quiet" className="-mr-4" onClick={onDismiss}>
            {texts.dismiss}
          </Button>
        )}
      </div>
      {[...byReason(files)].map(([reason, group]) => (
        <FileGroup key={reason} reason={reason} files={group} startsOpen={files.length <= SHORT_LIST} />
      ))}
      {!busy && files.some(isLargePicture) && !canShrink() && (
        <p className="mt-4 text-sm text-ink-soft">{texts.cannotShrink}</p>
      )}
      {!busy && shrinkable.length > 0 && (
        <div className="mt-5">
          <Button look="secondary" className="max-sm:w-full" onClick={() => onShrink(shrinkable)}>
            {texts.shrink}
          </Button>
          <p className="mt-2 text-sm text-ink-soft">{texts.shrinkText(shrinkable.length)}</p>
        </div>
      )}
    </Card>
  )
}

function FileGroup(props: { reason: string; files: readonly File[]; startsOpen: boolean }) {
  const { reason, files, startsOpen } = props
  const title = texts.ofReason(files.length, reason)
  return (
    <details className="mt-2 border-t border-line pt-3" open={startsOpen}>
      <summary className="min-h-6 cursor-pointer font-medium">{title}</summary>
      <ul
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled list must be reachable by keyboard.
        tabIndex={0}
        aria-label={title}
        className="mt-2 max-h-56 space-y-1 overflow-y-auto text-sm"
      >
        {files.map((file) => (
          <li key={identityKey(file)} className="flex justify-between gap-4">
            <span className="min-w-0">{plainFilename(file.name)}</span>
            <span className="shrink-0 text-ink-soft tabular-nums">{formatBytes(file.size)}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}

const isLargePicture = ({ file: { size, type } }: BlockedFile) =>
  size > PHOTO_MAX_BYTES && type.startsWith('image/')

function byReason(files: readonly BlockedFile[]): Map<string, File[]> {
  const groups = new Map<string, File[]>()
  for (const { file, reason } of files) groups.set(reason, [...(groups.get(reason) ?? []), file])
  return groups
}

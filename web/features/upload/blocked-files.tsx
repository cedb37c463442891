import { useId } from 'react'
import { blockedFiles as texts } from '../../../src/texts/english/upload.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ReasonList } from '../photos/reason-list.tsx'
import type { BlockedFile } from './files.ts'

export interface BlockedFilesProps {
  files: readonly BlockedFile[]
  onShrink: (photos: File[]) => void
  onDismiss: () => void
}

/** Every chosen file that was blocked, with its reason, and a button that uploads smaller copies of those that are only too
 *  large. */
export function BlockedFiles({ files, onShrink, onDismiss }: BlockedFilesProps) {
  const id = useId()
  const shrinkable = files.filter(({ isShrinkable }) => isShrinkable).map(({ file }) => file)
  if (files.length === 0) return null
  return (
    <Card aria-labelledby={id}>
      <div className="flex min-h-11 items-center justify-between gap-4">
        <h2 id={id} className="text-heading font-semibold">
          {texts.title(files.length)}
        </h2>
        <Button look="quiet" className="-mr-4" onClick={onDismiss}>
          {texts.dismiss}
        </Button>
      </div>
      <ReasonList files={files.map(({ file, reason }) => ({ filename: file.name, message: reason }))} />
      {shrinkable.length > 0 && (
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

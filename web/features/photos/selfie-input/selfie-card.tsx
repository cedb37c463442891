import { plainFilename } from '../../../../src/contract/file-names.ts'
import { selfiePicker as texts } from '../../../../src/texts/english/search.ts'
import { formatBytes } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { CloseIcon } from '../../../ui/more-icons.tsx'
import { PreviewImage } from '../preview-image.tsx'

export interface SelfieCardProps {
  selfie: File
  disabled: boolean
  onRemove: () => void
}

/** A selfie that was chosen. Its name can take the focus. */
export default function SelfieCard({ selfie, disabled, onRemove }: SelfieCardProps) {
  const name = plainFilename(selfie.name)
  return (
    <div className="flex items-center gap-4 rounded-xl border border-line bg-surface p-3 shadow-card">
      <div className="relative size-28 shrink-0 overflow-hidden rounded-lg bg-sunken sm:size-36">
        <PreviewImage file={selfie} alt={texts.yours} className="size-full object-cover" />
        <div aria-hidden="true" className="viewfinder absolute inset-2.5 text-accent" />
      </div>
      <div className="min-w-0 grow">
        <p tabIndex={-1} className="line-clamp-2 font-medium outline-none">
          {name}
        </p>
        <p className="text-sm text-ink-soft">{formatBytes(selfie.size)}</p>
        <Button
          look="quiet"
          disabled={disabled}
          aria-label={texts.removeOne(name)}
          onClick={onRemove}
          className="mt-1 -ml-4"
        >
          <CloseIcon className="size-4" />
          {texts.remove}
        </Button>
      </div>
    </div>
  )
}

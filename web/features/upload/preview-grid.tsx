import { plainFilename } from '../../../src/contract/file-names.ts'
import { PREVIEW_LIMIT } from '../../../src/contract/limits.ts'
import { previewGrid as texts } from '../../../src/texts/english/upload.ts'
import { focusContent } from '../../lib/focus.ts'
import { formatBytes } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { CloseIcon } from '../../ui/more-icons.tsx'
import { Tooltip, TooltipProvider } from '../../ui/tooltip.tsx'
import { identityKey } from '../own-albums/upload-history.ts'
import { PreviewImage } from '../photos/preview-image.tsx'

export interface PreviewGridProps {
  photos: readonly File[]
  /** While an upload runs, no photo can be removed. */
  busy: boolean
  onRemove: (photo: File) => void
  onClear: () => void
}

/** The first photos of the selection, five in a row, each with its remove button below it. */
export function PreviewGrid({ photos, busy, onRemove, onClear }: PreviewGridProps) {
  const shown = photos.slice(0, PREVIEW_LIMIT)
  const rest = photos.length - shown.length
  const bytes = photos.reduce((sum, photo) => sum + photo.size, 0)
  return (
    <div>
      <div className="mb-3 flex min-h-11 items-center justify-between gap-4">
        <p role="status">
          <strong className="font-semibold">{texts.selected(photos.length)}</strong>
          <span className="text-ink-soft"> · {formatBytes(bytes)}</span>
        </p>
        {!busy && (
          <Button look="quiet" className="-mr-4" onClick={onClear}>
            {texts.clear}
          </Button>
        )}
      </div>
      <TooltipProvider>
        <ul className="grid grid-cols-5 gap-1.5 sm:gap-2.5">
          {shown.map((photo) => (
            <li key={identityKey(photo)}>
              <div className="aspect-square overflow-hidden rounded-md bg-sunken sm:rounded-lg">
                <PreviewImage
                  file={photo}
                  alt={plainFilename(photo.name)}
                  className="size-full object-cover"
                />
              </div>
              {!busy && (
                <Tooltip hint={texts.remove(plainFilename(photo.name))}>
                  <button
                    type="button"
                    aria-label={texts.remove(plainFilename(photo.name))}
                    onClick={(click) => {
                      // After a click by mouse, the focus would open the next button's tooltip.
                      if (click.detail === 0) focusNeighbour(click.currentTarget)
                      onRemove(photo)
                    }}
                    className="grid h-8 w-full place-items-center rounded-md text-ink-soft -outline-offset-3 hover:bg-sunken hover:text-ink"
                  >
                    <CloseIcon className="size-4" />
                  </button>
                </Tooltip>
              )}
            </li>
          ))}
        </ul>
      </TooltipProvider>
      {rest > 0 && <p className="mt-3 text-sm text-ink-soft">{texts.more(rest)}</p>}
    </div>
  )
}

/** Moves the focus from a photo's button, which is about to be removed, to the button of the photo beside it. */
function focusNeighbour(button: HTMLButtonElement): void {
  const item = button.closest('li')
  const neighbour = item?.nextElementSibling ?? item?.previousElementSibling
  if (neighbour) neighbour.querySelector('button')?.focus()
  else focusContent()
}

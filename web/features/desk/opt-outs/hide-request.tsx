import type { OptOutsOutput } from '../../../../src/contract/opt-outs.ts'
import { deskOptOuts as texts } from '../../../../src/texts/english/desk/desk.ts'
import { Button } from '../../../ui/button.tsx'
import type { PhotoLoading } from '../../photos/grid/photo-tile.tsx'
import { photoIdOf } from '../../photos/photo-path.ts'
import { PhotoThumb } from '../../photos/photo-thumb.tsx'

type Hiding = NonNullable<OptOutsOutput['optOuts'][number]['hiding']>

export interface HideRequestProps extends Hiding {
  isBusy: boolean
  onAnswer: (answer: 'hide' | 'show') => void
  /** How the addresses of its photos are doing. */
  loading: PhotoLoading
}

/** A guest asks the owner to hide photos: which ones, and what the owner can answer. */
export function HideRequest({ count, answer, thumbUrls, isBusy, onAnswer, loading }: HideRequestProps) {
  const button = (to: 'hide' | 'show', label: string) => (
    <Button look="secondary" disabled={isBusy} onClick={() => onAnswer(to)} className="max-sm:w-full">
      {label}
    </Button>
  )
  return (
    <div className="mt-3 rounded-lg border border-line p-4">
      <p className="font-medium">{texts.asks(count)}</p>
      <p className="mt-1 text-sm text-ink-soft">{texts.hidingMeans}</p>
      {thumbUrls.length > 0 && (
        <div className="mt-3 grid grid-cols-3 gap-2 sm:grid-cols-6">
          {thumbUrls.map((url, index) => (
            <PhotoThumb
              key={photoIdOf(url)}
              src={url}
              alt={texts.photo(index + 1)}
              filename={texts.photo(index + 1)}
              {...loading}
              className="aspect-square rounded-md"
            />
          ))}
        </div>
      )}
      {thumbUrls.length > 0 && thumbUrls.length < count && (
        <p className="mt-2 text-sm text-ink-soft">{texts.these(thumbUrls.length)}</p>
      )}
      {answer && (
        <p className="mt-3 font-medium">
          {answer === 'hide' ? texts.areHidden(count) : texts.areShown(count)}
        </p>
      )}
      <div className="mt-3 flex flex-wrap gap-3">
        {answer !== 'hide' && button('hide', texts.hide(count))}
        {answer !== 'show' && button('show', answer === 'hide' ? texts.showAgain : texts.keep)}
      </div>
    </div>
  )
}

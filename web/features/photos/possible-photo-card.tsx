import { useId, useRef } from 'react'
import type { PossibleResult } from '../../../src/contract/submissions.ts'
import { possiblePhoto as texts } from '../../../src/texts/english.ts'
import { Button } from '../../ui/button.tsx'
import { CheckIcon, CloseIcon } from '../../ui/more-icons.tsx'
import { FaceCrop } from './face-crop.tsx'
import { PhotoThumb } from './photo-thumb.tsx'
import type { PhotoLoading } from './photo-tile.tsx'
import { useNear } from './use-near.ts'

export interface PossiblePhotoCardProps extends PhotoLoading {
  photo: PossibleResult
  /** Among the questions, from 0. */
  place: number
  count: number
  /** @param detail of the click */
  onAnswer: (isMe: boolean, detail: number) => void
}

/** Asks whether the visitor is in a photo. The face in question is beside it. It can take the focus. */
export function PossiblePhotoCard(props: PossiblePhotoCardProps) {
  const { photo, place, count, onAnswer, ...loading } = props
  const card = useRef<HTMLDivElement>(null)
  const isNear = useNear(card)
  const question = useId()
  return (
    <li>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form. */}
      <div
        ref={card}
        role="group"
        tabIndex={-1}
        aria-labelledby={question}
        className="scroll-mb-24 rounded-xl border border-line bg-surface p-3 shadow-card"
      >
        <p id={question} className="sr-only">
          {texts.question(photo.filename, place + 1, count)}
        </p>
        <div className="grid grid-cols-[2fr_3fr] gap-3">
          <FaceCrop
            src={photo.previewUrl}
            box={photo.face.box}
            alt={texts.face}
            issued={loading.issued}
            isNear={isNear}
            onFail={loading.onFail}
            className="h-full rounded-lg"
          />
          <PhotoThumb
            src={photo.thumbUrl}
            alt=""
            filename={photo.filename}
            isNear={isNear}
            {...loading}
            className="aspect-[4/3] rounded-lg"
          >
            <a
              href={photo.url}
              target="_blank"
              rel="noopener"
              className="absolute inset-0 rounded-lg -outline-offset-4"
            >
              <span className="sr-only">{texts.open(photo.filename)}</span>
            </a>
          </PhotoThumb>
        </div>
        <div className="mt-3 grid grid-cols-[3fr_2fr] gap-3">
          <Button
            look="secondary"
            aria-describedby={question}
            onClick={({ detail }) => onAnswer(true, detail)}
          >
            <CheckIcon />
            {texts.yes}
          </Button>
          <Button
            look="secondary"
            aria-describedby={question}
            onClick={({ detail }) => onAnswer(false, detail)}
          >
            <CloseIcon />
            {texts.no}
          </Button>
        </div>
      </div>
    </li>
  )
}

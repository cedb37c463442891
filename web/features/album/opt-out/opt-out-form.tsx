import { type RefObject, useState } from 'react'
import type { OptOutOutput } from '../../../../src/contract/opt-outs.ts'
import type { FoundPhoto, SearchOutput } from '../../../../src/contract/search.ts'
import { optOut as texts } from '../../../../src/texts/english/opt-outs.ts'
import * as common from '../../../../src/texts/english/words.ts'
import { trpc } from '../../../trpc.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { FailureNotice } from '../../../ui/loading.tsx'
import { cropAround } from '../../photos/crop-around.ts'
import { pathOf } from '../../photos/photo-path.ts'
import { PhotoThumb } from '../../photos/photo-thumb.tsx'
import { useFound, useSearch } from '../search/use-search.tsx'

export interface OptOutFormProps {
  optOut: NonNullable<SearchOutput['optOut']>
  /** Repeats the search. */
  searchToken: string
  heading: RefObject<HTMLHeadingElement | null>
  onCancel: () => void
  onOptedOut: (receipt: OptOutOutput) => void
}

type WithFace = FoundPhoto & Required<Pick<FoundPhoto, 'face'>>

export function OptOutForm({ optOut, searchToken, heading, ...on }: OptOutFormProps) {
  const { albumName } = useSearch()
  const found = useFound()
  const [except, setExcept] = useState<readonly string[]>([])
  const [hidePhotos, setHidePhotos] = useState(false)
  const [keepOut, setKeepOut] = useState(false)
  const call = trpc.albums.optOut.useMutation({ onSuccess: on.onOptedOut })
  const confirmed = found.asked.filter(({ isMe }) => isMe).map(({ photo }) => pathOf(photo))
  const faces = found.photos.filter(
    (photo): photo is WithFace => photo.face !== undefined && !confirmed.includes(pathOf(photo)),
  )
  const more = optOut.count - faces.length
  const count = optOut.count - except.length

  function toggle(id: string, isMine: boolean) {
    setExcept(isMine ? except.filter((other) => other !== id) : [...except, id])
  }

  return (
    <>
      <h2 id="opt-out" ref={heading} tabIndex={-1} className="text-heading font-semibold outline-none">
        {texts.title}
      </h2>
      <p className="mt-2 text-ink-soft">{texts.explanation}</p>
      <p className="mt-2 text-ink-soft">{texts.numbers}</p>
      <fieldset className="mt-5">
        <legend className="font-medium">{texts.faces}</legend>
        <div className="mt-3 grid max-h-60 grid-cols-4 gap-2 overflow-y-auto p-1 sm:grid-cols-6">
          {faces.map((photo, index) => (
            <label
              key={photo.face.id}
              className="relative block overflow-hidden rounded-md has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
            >
              <PhotoThumb
                src={photo.thumbUrl}
                face={cropAround(photo.face.box, photo)}
                alt=""
                className={`aspect-square transition-opacity ${except.includes(photo.face.id) ? 'opacity-35' : ''}`}
              />
              <input
                type="checkbox"
                aria-label={texts.face(index + 1)}
                checked={!except.includes(photo.face.id)}
                onChange={(event) => toggle(photo.face.id, event.target.checked)}
                className="absolute end-1.5 bottom-1.5 size-5 accent-accent"
              />
            </label>
          ))}
        </div>
        {more > 0 && (
          <p className="mt-2 text-sm text-ink-soft">
            {faces.length > 0 ? texts.more(more) : texts.found(more)}
          </p>
        )}
        {confirmed.length > 0 && <p className="mt-2 text-sm text-ink-soft">{texts.onlyRecognised}</p>}
      </fieldset>
      <div className="mt-5 space-y-4">
        <Checkbox label={texts.hide} checked={hidePhotos} onChange={setHidePhotos}>
          {texts.hideText}
        </Checkbox>
        {optOut.canKeepOut && (
          <Checkbox label={texts.keepOut} checked={keepOut} onChange={setKeepOut}>
            {texts.keepOutText}
          </Checkbox>
        )}
      </div>
      <FailureNotice error={call.error} className="mt-5" title={texts.failed} />
      <div className="mt-6 flex flex-wrap-reverse justify-end gap-3">
        <Button look="secondary" onClick={on.onCancel} className="max-sm:w-full">
          {common.cancel}
        </Button>
        <Button
          className="max-sm:w-full"
          busy={call.isPending}
          disabled={call.isPending || count <= 0}
          onClick={() => call.mutate({ albumName, searchToken, except: [...except], hidePhotos, keepOut })}
        >
          {call.isPending ? texts.hiding : texts.hideFaces(Math.max(0, count))}
        </Button>
      </div>
    </>
  )
}

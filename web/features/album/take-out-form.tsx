import { type RefObject, useState } from 'react'
import type { FoundPhoto, SearchOutput } from '../../../src/contract/search.ts'
import type { TakeOutOutput } from '../../../src/contract/take-out.ts'
import { common, takeOut as texts } from '../../../src/texts/english.ts'
import { failureText } from '../../lib/failure.ts'
import { trpc } from '../../trpc.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Notice } from '../../ui/notice.tsx'
import { type Found, facesAnswered } from './found.ts'
import { TakeOutFace } from './take-out-face.tsx'

export interface TakeMeOutProps {
  albumName: string
  /** What the search has found, for the call. */
  takeOut: NonNullable<SearchOutput['takeOut']>
  found: Found
  /** The guest has been taken out: the results no longer hold. */
  onTakenOut: () => void
}

export interface TakeOutFormProps extends Pick<TakeMeOutProps, 'albumName' | 'takeOut' | 'found'> {
  heading: RefObject<HTMLHeadingElement | null>
  onCancel: () => void
  onTakenOut: (receipt: TakeOutOutput) => void
}

type WithFace = FoundPhoto & Required<Pick<FoundPhoto, 'face'>>

export function TakeOutForm({ albumName, takeOut, found, heading, ...on }: TakeOutFormProps) {
  const [except, setExcept] = useState<readonly string[]>([])
  const [hidePhotos, setHidePhotos] = useState(false)
  const [keepOut, setKeepOut] = useState(false)
  const call = trpc.albums.takeOut.useMutation({ onSuccess: on.onTakenOut })
  const confirmed = facesAnswered(found.person.answers, true)
  const faces = found.photos.filter(
    (photo): photo is WithFace => photo.face !== undefined && !confirmed.includes(photo.face.id),
  )
  const more = takeOut.count - faces.length
  const count = takeOut.count - except.length

  function toggle(id: string, isMine: boolean) {
    setExcept(isMine ? except.filter((other) => other !== id) : [...except, id])
  }

  return (
    <>
      <h2 id="take-out" ref={heading} tabIndex={-1} className="text-heading font-semibold outline-none">
        {texts.title}
      </h2>
      <p className="mt-2 text-ink-soft">{texts.explanation}</p>
      <fieldset className="mt-5">
        <legend className="font-medium">{texts.faces}</legend>
        <div className="mt-3 grid max-h-60 grid-cols-4 gap-2 overflow-y-auto p-1 sm:grid-cols-6">
          {faces.map((photo, index) => (
            <TakeOutFace
              key={photo.face.id}
              photo={photo}
              face={photo.face}
              label={texts.face(index + 1)}
              checked={!except.includes(photo.face.id)}
              onChange={(isMine) => toggle(photo.face.id, isMine)}
            />
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
        {takeOut.canKeepOut && (
          <Checkbox label={texts.keepOut} checked={keepOut} onChange={setKeepOut}>
            {texts.keepOutText}
          </Checkbox>
        )}
      </div>
      {call.isError && (
        <Notice tone="error" className="mt-5" title={texts.failed}>
          {failureText(call.error)}
        </Notice>
      )}
      <div className="mt-6 flex flex-wrap-reverse justify-end gap-3">
        <Button look="secondary" onClick={on.onCancel} className="max-sm:w-full">
          {common.cancel}
        </Button>
        <Button
          className="max-sm:w-full"
          busy={call.isPending}
          disabled={call.isPending || count <= 0}
          onClick={() =>
            call.mutate({ albumName, faces: takeOut.faces, except: [...except], hidePhotos, keepOut })
          }
        >
          {call.isPending ? texts.removing : texts.remove(Math.max(0, count))}
        </Button>
      </div>
    </>
  )
}

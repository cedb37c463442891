import { type RefObject, useState } from 'react'
import type { FoundPhoto } from '../../../src/contract/search.ts'
import type { TakeOutOutput } from '../../../src/contract/take-out.ts'
import { failureText } from '../../lib/failure.ts'
import { countOf, formatNumber } from '../../lib/format.ts'
import { trpc } from '../../trpc.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Notice } from '../../ui/notice.tsx'
import { facesAnswered } from './found.ts'
import type { TakeMeOutProps } from './take-me-out.tsx'
import { TakeOutFace } from './take-out-face.tsx'

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
        Take me out of this album
      </h2>
      <p className="mt-2 text-ink-soft">
        Your face is removed from the search at once. Then no selfie finds you in these photos. The photos
        stay in the album, and this cannot be undone here.
      </p>
      <fieldset className="mt-5">
        <legend className="font-medium">Are these all you? Untick every face that is not yours.</legend>
        <div className="mt-3 grid max-h-60 grid-cols-4 gap-2 overflow-y-auto p-1 sm:grid-cols-6">
          {faces.map((photo, index) => (
            <TakeOutFace
              key={photo.face.id}
              photo={photo}
              face={photo.face}
              label={`Face ${index + 1} is me`}
              checked={!except.includes(photo.face.id)}
              onChange={(isMine) => toggle(photo.face.id, isMine)}
            />
          ))}
        </div>
        {more > 0 && (
          <p className="mt-2 text-sm text-ink-soft">
            {faces.length > 0
              ? `And ${formatNumber(more)} more.`
              : `Your selfie found ${countOf(more, 'face')}.`}
          </p>
        )}
        {confirmed.length > 0 && (
          <p className="mt-2 text-sm text-ink-soft">
            Faces that only you have recognised stay in the search. Ask the organiser about them.
          </p>
        )}
      </fieldset>
      <div className="mt-5 space-y-4">
        <Checkbox
          label="Ask the organiser to hide these photos"
          checked={hidePhotos}
          onChange={setHidePhotos}
        >
          The organiser gets a letter with the photos in question, and decides. It does not say who asks.
        </Checkbox>
        {takeOut.canKeepOut && (
          <Checkbox
            label="Keep me out of photos that are added later"
            checked={keepOut}
            onChange={setKeepOut}
          >
            For this, the album keeps an encrypted description of your face, which is biometric data. It is
            used for nothing else, and is deleted with the album.
          </Checkbox>
        )}
      </div>
      {call.isError && (
        <Notice tone="error" className="mt-5" title="You could not be taken out">
          {failureText(call.error)}
        </Notice>
      )}
      <div className="mt-6 flex flex-wrap-reverse justify-end gap-3">
        <Button look="secondary" onClick={on.onCancel} className="max-sm:w-full">
          Cancel
        </Button>
        <Button
          className="max-sm:w-full"
          busy={call.isPending}
          disabled={call.isPending || count <= 0}
          onClick={() =>
            call.mutate({ albumName, faces: takeOut.faces, except: [...except], hidePhotos, keepOut })
          }
        >
          {call.isPending ? 'Removing...' : `Remove ${countOf(Math.max(0, count), 'face')}`}
        </Button>
      </div>
    </>
  )
}

import type { FoundPhoto } from '../../../../src/contract/search.ts'
import { FaceCrop } from '../../photos/face-crop.tsx'

export interface OptOutFaceProps {
  photo: FoundPhoto
  face: NonNullable<FoundPhoto['face']>
  label: string
  checked: boolean
  onChange: (checked: boolean) => void
}

/** A face that is hidden if its box is ticked. */
export function OptOutFace({ photo, face, label, checked, onChange }: OptOutFaceProps) {
  return (
    <label className="relative block overflow-hidden rounded-md has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent">
      <FaceCrop
        src={photo.thumbUrl}
        box={face.box}
        alt=""
        className={`aspect-square transition-opacity ${checked ? '' : 'opacity-35'}`}
      />
      <input
        type="checkbox"
        aria-label={label}
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className="absolute end-1.5 bottom-1.5 size-5 accent-accent"
      />
    </label>
  )
}

import type { SearchedSelfie } from '../../../../src/contract/search.ts'
import { faceChooser as texts } from '../../../../src/texts/english/search-results.ts'
import { usePicture } from '../../photos/preview-image.tsx'
import { isSearching } from './state.ts'
import { useSearch } from './use-search.tsx'

interface FaceChooserProps extends Pick<SearchedSelfie, 'faces' | 'searched'> {
  file: File
  title?: string
  /** What the picture is. */
  alt?: string
  onChoose: (face: number) => void
}

/** A selfie with several faces: shows which one was searched for, and lets the visitor choose theirs. Nothing when the
 *  browser cannot show the file. */
export function FaceChooser(props: FaceChooserProps) {
  const { file, faces, searched, onChoose, title = texts.title, alt = texts.selfie } = props
  const isBusy = isSearching(useSearch().state)
  const { image, isBroken } = usePicture(file)
  if (isBroken) return null
  const fromLeft = faces
    .map(({ box }, face) => ({ box, face }))
    .sort((one, other) => one.box.left - other.box.left)
  return (
    <section
      aria-label={title}
      className="flex flex-wrap items-center gap-x-6 gap-y-3 rounded-xl border border-line bg-surface p-3 shadow-card"
    >
      <div className="relative w-fit overflow-hidden rounded-lg bg-sunken">
        {image.src ? (
          <>
            <img {...image} alt={alt} className="block max-h-72 w-auto" />
            {fromLeft.map(({ box, face }, place) => (
              <button
                key={face}
                type="button"
                aria-label={texts.face(place + 1, faces.length)}
                aria-pressed={face === searched}
                onClick={() => face !== searched && !isBusy && onChoose(face)}
                style={{
                  left: `${(box.left + box.width / 2) * 100}%`,
                  top: `${(box.top + box.height / 2) * 100}%`,
                  width: `${box.width * 100}%`,
                  height: `${box.height * 100}%`,
                }}
                // A small one is enlarged, so that a finger hits it.
                className="absolute min-h-7 min-w-7 -translate-1/2 rounded-md border-3 border-white/85 shadow-[0_0_0_1px_rgb(0_0_0/0.6),inset_0_0_0_1px_rgb(0_0_0/0.6)] hover:bg-white/20 aria-pressed:border-accent aria-pressed:bg-transparent"
              />
            ))}
          </>
        ) : (
          <div className="h-56 w-72" />
        )}
      </div>
      <div className="min-w-48 flex-1">
        <h3 className="font-semibold">{title}</h3>
        <p className="text-ink-soft">{isBusy ? texts.searching : texts.searched}</p>
      </div>
    </section>
  )
}

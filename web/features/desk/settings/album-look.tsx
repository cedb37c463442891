import { ACCENT_NAMES } from '../../../../src/contract/albums/accents.ts'
import type { EnteredAlbum } from '../../../../src/contract/albums/albums.ts'
import { albumSwitches, albumLook as texts } from '../../../../src/texts/english/desk/desk-settings.ts'
import { focusContent } from '../../../lib/focus.ts'
import Accented from '../../../ui/accented.tsx'
import { Button } from '../../../ui/button.tsx'
import { FailureNotice } from '../../../ui/loading.tsx'
import { DeskCard } from '../desk-card.tsx'
import { useSettings } from './use-settings.ts'

/** The colour of the album's pages, and the photo above its name. */
export function AlbumLook({ album }: { album: EnteredAlbum }) {
  const { save, shown, isPending, error } = useSettings(album)
  const { cover } = album
  return (
    <DeskCard title={texts.title}>
      <fieldset className="mt-5">
        <legend className="font-medium">{texts.accent}</legend>
        <div className="mt-2 grid grid-cols-2 sm:grid-cols-3">
          {ACCENT_NAMES.map((accent) => (
            <label key={accent} className="flex min-h-11 cursor-pointer items-center gap-2">
              <Accented accent={accent}>
                <input
                  type="radio"
                  name="accent"
                  checked={shown.accent === accent}
                  onChange={() => save({ accent })}
                  className="size-5 accent-accent"
                />
                <span aria-hidden="true" className="size-5 rounded-full bg-accent" />
              </Accented>
              {texts.accents[accent]}
            </label>
          ))}
        </div>
      </fieldset>
      <h3 className="mt-6 font-medium">{texts.cover}</h3>
      <p className="mt-0.5 text-sm text-ink-soft">{cover ? texts.coverText : texts.noCover}</p>
      {cover && (
        <>
          <img
            src={cover.url}
            alt=""
            width={cover.width}
            height={cover.height}
            className="mt-3 rounded-md"
            style={{ width: 'auto', maxHeight: '12rem' }}
          />
          <Button
            look="secondary"
            className="mt-3 max-sm:w-full"
            busy={isPending}
            onClick={() => {
              save({ coverId: null })
              // The button goes with the cover.
              focusContent()
            }}
          >
            {texts.remove}
          </Button>
        </>
      )}
      <FailureNotice error={error} className="mt-5" title={albumSwitches.notSaved} />
    </DeskCard>
  )
}

import type { AlbumSettings } from '../../../../src/contract/albums/album-settings.ts'
import type { EnteredAlbum } from '../../../../src/contract/albums/albums.ts'
import { albumSwitches as texts } from '../../../../src/texts/english/desk/desk-settings.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { FailureNotice } from '../../../ui/loading.tsx'
import { DeskCard } from '../desk-card.tsx'
import { useSettings } from './use-settings.ts'

const SWITCHES = [
  'listed',
  'browsing',
  'consentTick',
  'forChildren',
] as const satisfies (keyof AlbumSettings)[]

/** What guests may do, as switches. Each is saved at once. */
export function AlbumSwitches({ album }: { album: EnteredAlbum }) {
  const { save, shown, error } = useSettings(album)
  const isFixed = (name: string) => shown.forChildren === 'on' && name !== 'forChildren'
  return (
    <DeskCard title={texts.title}>
      <div className="mt-5 space-y-5">
        {SWITCHES.map((name) => (
          <Checkbox
            key={name}
            label={texts[name]}
            checked={shown[name] === 'on'}
            disabled={isFixed(name)}
            onChange={(isOn) => save({ [name]: isOn ? 'on' : 'off' })}
          >
            {isFixed(name) ? texts.fixed : texts[`${name}Text`]}
          </Checkbox>
        ))}
      </div>
      <FailureNotice error={error} className="mt-5" title={texts.notSaved} />
    </DeskCard>
  )
}

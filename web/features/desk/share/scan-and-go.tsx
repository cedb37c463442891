import type { EnteredAlbum } from '../../../../src/contract/albums/albums.ts'
import { scanAndGo as texts } from '../../../../src/texts/english/desk/desk-share.ts'
import { albumAddress, SCANNED_PASSWORD } from '../../../lib/album-address.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { CopyLine } from '../../../ui/copy-line.tsx'
import { FailureNotice } from '../../../ui/loading.tsx'
import QrCode from '../../share/qr-code.tsx'
import { DeskCard } from '../desk-card.tsx'
import { useSettings } from '../settings/use-settings.ts'

/** The address of a code that lets everybody in who scans it, while the owner has turned that on. */
export const scanAndGoAddress = ({ albumName, albumPassword }: EnteredAlbum) =>
  `${albumAddress(albumName)}#${SCANNED_PASSWORD}=${albumPassword}`

/** A link and a code that hold the password, for an owner who wants them. */
export function ScanAndGo({ album }: { album: EnteredAlbum }) {
  const { albumName } = album
  const { save, shown, error } = useSettings(album)
  const address = scanAndGoAddress(album)
  return (
    <DeskCard title={texts.title}>
      <div className="mt-4">
        <Checkbox
          label={texts.label}
          checked={shown.scanAndGo === 'on'}
          onChange={(isOn) => save({ scanAndGo: isOn ? 'on' : 'off' })}
        >
          {texts.text}
        </Checkbox>
      </div>
      <FailureNotice error={error} className="mt-5" title={texts.notSaved} />
      {album.scanAndGo === 'on' && (
        <>
          <CopyLine name={texts.link} value={address} />
          <div className="mt-5 flex items-center gap-4">
            <div className="size-24 shrink-0">
              <QrCode name={`${albumName}-scan-and-go`} address={address} />
            </div>
            <p className="text-sm text-ink-soft">{texts.codeText}</p>
          </div>
        </>
      )}
    </DeskCard>
  )
}

import type { EnteredAlbum } from '../../../../src/contract/albums.ts'
import { scanAndGo as texts } from '../../../../src/texts/english/desk-share.ts'
import { albumAddress, SCANNED_PASSWORD } from '../../../lib/album-address.ts'
import { failureText } from '../../../lib/failure.ts'
import { Card } from '../../../ui/card.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { CopyLine } from '../../../ui/copy-line.tsx'
import { Notice } from '../../../ui/notice.tsx'
import QrCode from '../../share/qr-code.tsx'
import { useSettings } from '../settings/use-settings.ts'

/** The address of a code that lets everybody in who scans it, while the owner has turned that on. */
export const scanAndGoAddress = ({ albumName, albumPassword }: EnteredAlbum) =>
  `${albumAddress(albumName)}#${SCANNED_PASSWORD}=${albumPassword}`

/** A link and a code that hold the password, for an owner who wants them. */
export function ScanAndGo({ album }: { album: EnteredAlbum }) {
  const { albumName, displayName } = album
  const { save, shown, error } = useSettings(album)
  const address = scanAndGoAddress(album)
  return (
    <Card aria-labelledby="scan-and-go">
      <h2 id="scan-and-go" className="mb-4 text-heading font-semibold">
        {texts.title}
      </h2>
      <Checkbox
        label={texts.label}
        checked={shown.scanAndGo === 'on'}
        onChange={(isOn) => save({ scanAndGo: isOn ? 'on' : 'off' })}
      >
        {texts.text}
      </Checkbox>
      {error && (
        <Notice tone="error" className="mt-5" title={texts.notSaved}>
          {failureText(error)}
        </Notice>
      )}
      {album.scanAndGo === 'on' && (
        <>
          <CopyLine name={texts.link} value={address} />
          <div className="mt-5 flex items-center gap-4">
            <div className="size-24 shrink-0">
              <QrCode displayName={displayName} albumName={`${albumName}-scan-and-go`} address={address} />
            </div>
            <p className="text-sm text-ink-soft">{texts.codeText}</p>
          </div>
        </>
      )}
    </Card>
  )
}

import type { EnteredAlbum } from '../../../../src/contract/albums/albums.ts'
import { PAGES } from '../../../../src/contract/pages.ts'
import { addDevice as texts } from '../../../../src/texts/english/desk/desk-settings.ts'
import { formatTime } from '../../../lib/format.ts'
import { trpc } from '../../../trpc.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyLine } from '../../../ui/copy-line.tsx'
import { FailureNotice } from '../../../ui/loading.tsx'
import { Sentence } from '../../../ui/sentence.tsx'
import QrCode from '../../share/qr-code.tsx'
import { DeskCard } from '../desk-card.tsx'

/** Lets the organiser bring the album to another device, by a code that works once. */
export function AddDevice({ album: { id, albumName } }: { album: EnteredAlbum }) {
  const { mutate, data, error, isPending } = trpc.albums.deviceLink.useMutation()
  const address = data && `${location.origin}${PAGES.addDevice.path}#${data.token}`
  return (
    <DeskCard title={texts.title} text={texts.text}>
      <FailureNotice error={error} className="mt-4" title={texts.notMade} />
      {address && (
        <div role="status" className="mt-5 flex flex-wrap items-start gap-5">
          <div className="shrink-0 rounded-md bg-white" style={{ width: '11rem', height: '11rem' }}>
            <QrCode name={albumName} address={address} />
          </div>
          <div className="min-w-0 grow basis-40">
            <p>
              <Sentence of={texts.scan(<time dateTime={data.endsAt}>{formatTime(data.endsAt)}</time>)} />
            </p>
            <CopyLine name={texts.link} value={address} />
          </div>
        </div>
      )}
      <Button
        look="secondary"
        className="mt-4 max-sm:w-full"
        busy={isPending}
        // Disabled, it would lose the keyboard's focus.
        disabled={false}
        onClick={() => isPending || mutate({ id })}
      >
        {isPending ? texts.making : data ? texts.again : texts.make}
      </Button>
    </DeskCard>
  )
}

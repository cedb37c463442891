import type { SectionProps } from '../sections.ts'
import { AddDevice } from './add-device.tsx'
import { AlbumSwitches } from './album-switches.tsx'
import { OwnerLetters } from './owner-letters.tsx'
import { OwnerName } from './owner-name.tsx'
import { WhenOpen } from './when-open.tsx'

/** What the organiser may change about an album. */
export default function Settings({ album, progress }: SectionProps) {
  return (
    <div className="space-y-6">
      <OwnerName album={album} />
      <AlbumSwitches album={album} />
      <WhenOpen album={album} facesEndedAt={progress.facesEndedAt} />
      <OwnerLetters albumId={album.id} />
      <AddDevice album={album} />
    </div>
  )
}

import type { SectionProps } from '../sections.ts'
import { AddDevice } from './add-device.tsx'
import { AlbumSwitches } from './album-switches.tsx'

/** What the organiser may change about an album. */
export default function Settings({ album }: SectionProps) {
  return (
    <div className="space-y-6">
      <AlbumSwitches album={album} />
      <AddDevice album={album} />
    </div>
  )
}

import type { SectionProps } from '../sections.ts'
import { OwnerLetters } from './owner-letters.tsx'
import { OwnerName } from './owner-name.tsx'

/** What the organiser may change about an album. */
export default function Settings({ album }: SectionProps) {
  return (
    <div className="space-y-6">
      <OwnerName album={album} />
      <OwnerLetters albumId={album.id} />
    </div>
  )
}

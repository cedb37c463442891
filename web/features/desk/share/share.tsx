import ShareCard from '../../share/share-card.tsx'
import type { SectionProps } from '../sections.ts'

/** What the organiser hands to the guests. */
export default function Share({ album: { albumName, displayName, albumPassword } }: SectionProps) {
  return <ShareCard albumName={albumName} displayName={displayName} password={albumPassword} showsPassword />
}

import { trpc } from '../../../trpc.ts'
import ShareCard from '../../share/share-card.tsx'
import type { SectionProps } from '../sections.ts'
import { ChangePassword } from './change-password.tsx'
import { Printed } from './printed.tsx'
import { ScanAndGo } from './scan-and-go.tsx'

/** What the organiser hands to the guests. */
export default function Share({ album }: SectionProps) {
  const { albumName, displayName, albumPassword } = album
  // Another device may have changed the password, and nobody should print the former one.
  trpc.albums.visit.useQuery({ albumName }, { refetchOnMount: 'always', refetchOnWindowFocus: 'always' })
  return (
    <div className="space-y-6">
      <ShareCard albumName={albumName} displayName={displayName} password={albumPassword} showsPassword />
      <ChangePassword album={album} />
      <ScanAndGo album={album} />
      <Printed album={album} />
    </div>
  )
}

import type { ReactNode } from 'react'
import type { EnteredAlbum, Progress } from '../../../src/contract/albums/albums.ts'
import { deskOptOuts, deskShare } from '../../../src/texts/english/desk/desk.ts'
import { deskGuests } from '../../../src/texts/english/desk/desk-guests.ts'
import { deskPhotos } from '../../../src/texts/english/desk/desk-photos.ts'
import { deskEnd, deskSettings } from '../../../src/texts/english/desk/desk-settings.ts'
import { lazyPart } from '../../lib/lazy-part.ts'

/** What every section of the desk gets. */
export interface SectionProps {
  album: EnteredAlbum
  /** As of the page's first call. */
  progress: Progress
  /** The service has refused a call: the session, or the album's owner key, is no longer valid. */
  onSessionEnded: () => void
  /** The album has been erased. */
  onGone: () => void
}

/** @param text says in the overview what the section is for */
function section<const Name extends string>(
  name: Name,
  { title, text }: { title: string; text: string },
  load: () => Promise<{ default: (props: SectionProps) => ReactNode }>,
) {
  return { name, title, text, part: lazyPart(load) }
}

/** The sections of the desk, each a page of its own, in the order in which the overview lists them. */
export const SECTIONS = [
  section('photos', deskPhotos, () => import('./photos/photos.tsx')),
  section('share', deskShare, () => import('./share/share.tsx')),
  section('guests', deskGuests, () => import('./guests/guests.tsx')),
  section('opt-outs', deskOptOuts, () => import('./opt-outs/opt-outs.tsx')),
  section('settings', deskSettings, () => import('./settings/settings.tsx')),
  section('end', deskEnd, () => import('./end/end.tsx')),
]

export type Section = (typeof SECTIONS)[number]

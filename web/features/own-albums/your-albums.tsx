import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { yourAlbums as texts } from '../../../src/texts/english/landing.ts'
import { readOwnAlbums } from '../../lib/own-albums.ts'
import type { Organiser } from '../../lib/persisted.ts'
import { buttonLook } from '../../ui/button-look.ts'

export interface YourAlbumsProps {
  albums: readonly Organiser[]
  /** What stands beside the link to an album. */
  beside?: (album: Organiser) => ReactNode
}

/** The albums whose owner keys this browser has, each with the way to it. The landing page shows it, so it makes no calls. */
export function YourAlbums({ albums, beside }: YourAlbumsProps) {
  return (
    <>
      <h2 id="your-albums" className="text-heading font-semibold">
        {texts.title}
      </h2>
      <ul className="mt-3 space-y-2">
        {albums.map((album) => (
          <li key={album.userAlbumId} className="flex items-center gap-2">
            <Continue {...album} />
            {beside?.(album)}
          </li>
        ))}
      </ul>
    </>
  )
}

function Continue({ eventName, userAlbumSlug: albumName }: Organiser) {
  const way =
    albumName === undefined
      ? ({ to: '/bulk-upload' } as const)
      : ({ to: '/manage/$albumName/{-$section}', params: { albumName } } as const)
  return (
    <Link {...way} className={`${buttonLook('secondary')} min-w-0 grow justify-start! text-left!`}>
      {/* A plain text, because the code of sentences is not on the landing page. */}
      <span className="min-w-0 break-words">{texts.continueWith(eventName)}</span>
    </Link>
  )
}

/** More albums than this are on the page of the form for a new one. */
const OWN_ALBUMS_SHOWN = 3

/** The way back for an organiser whom this browser knows. */
export default function ReturningOrganiser() {
  const [albums] = useState(readOwnAlbums)
  if (albums.length === 0) return null
  return (
    <section aria-labelledby="your-albums" className="mt-10 max-w-[26rem]">
      <YourAlbums albums={albums.slice(0, OWN_ALBUMS_SHOWN)} />
      {albums.length > OWN_ALBUMS_SHOWN && (
        <Link to="/get-started" className={buttonLook('quiet')}>
          {texts.all}
        </Link>
      )}
    </section>
  )
}

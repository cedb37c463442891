import { Link } from '@tanstack/react-router'
import type { Ref } from 'react'
import type { AlbumSummary } from '../../../src/contract/albums/albums.ts'
import { albumCard as texts } from '../../../src/texts/english/organiser.ts'
import { formatDate } from '../../lib/format.ts'
import { buttonLook } from '../../ui/button-look.ts'
import { ArrowIcon } from '../../ui/icons.tsx'
import { Sentence } from '../../ui/sentence.tsx'

export function AlbumCard({ album, ref }: { album: AlbumSummary; ref?: Ref<HTMLLIElement> | undefined }) {
  return (
    <li ref={ref} className="flex min-w-0 flex-col rounded-xl border border-line bg-surface p-6 shadow-card">
      <h2 dir="auto" className="text-left text-heading font-semibold">
        {album.displayName}
      </h2>
      <p className="mt-1 text-sm text-ink-soft">
        <Sentence of={texts.created(<time dateTime={album.createdAt}>{formatDate(album.createdAt)}</time>)} />
      </p>
      <p
        className="mt-4 mb-6 truncate rounded-md bg-sunken px-3 py-2 font-mono text-sm text-ink-soft"
        title={`/album/${album.albumName}`}
      >
        /album/{album.albumName}
      </p>
      <Link
        to="/album/$albumName"
        params={{ albumName: album.albumName }}
        className={`${buttonLook('primary')} mt-auto`}
        aria-label={texts.findIn(album.displayName)}
      >
        {texts.find}
        <ArrowIcon />
      </Link>
    </li>
  )
}

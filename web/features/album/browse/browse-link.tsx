import { Link } from '@tanstack/react-router'
import { browseLink as texts } from '../../../../src/texts/english/album.ts'
import { focusContent } from '../../../lib/focus.ts'
import { buttonLook } from '../../../ui/button-look.ts'

/** The way to all photos, for a visitor who wants no face search. */
export function BrowseLink({ albumName }: { albumName: string }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-line pt-4">
      <p className="text-ink-soft">{texts.question}</p>
      <SeeAllLink albumName={albumName} label={texts.browse} />
    </div>
  )
}

/** The same for the owner, and where nobody can be searched for. The photos take the place of the link, so the focus moves. */
export function SeeAllLink({ albumName, label = texts.seeAll }: { albumName: string; label?: string }) {
  return (
    <Link
      to="/album/$albumName"
      params={{ albumName }}
      search={{ photos: 'all' }}
      onClick={focusContent}
      className={`${buttonLook('secondary')} max-sm:w-full`}
    >
      {label}
    </Link>
  )
}

import { Link } from '@tanstack/react-router'
import { buttonLook } from '../../ui/button-look.ts'

/** The way to all photos, for a visitor who wants no face search. */
export function BrowseLink({ albumName }: { albumName: string }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-line pt-4">
      <p className="text-ink-soft">Rather without a selfie?</p>
      <Link
        to="/album/$albumName"
        params={{ albumName }}
        search={{ photos: 'all' }}
        className={buttonLook('secondary')}
      >
        Browse all photos
      </Link>
    </div>
  )
}

/** The way back. */
export function SearchLink({ albumName }: { albumName: string }) {
  return (
    <Link to="/album/$albumName" params={{ albumName }} className={buttonLook('secondary')}>
      Search with a selfie
    </Link>
  )
}

import { Link } from '@tanstack/react-router'
import { browseLink as texts } from '../../../src/texts/english/album.ts'
import { buttonLook } from '../../ui/button-look.ts'

/** The way to all photos for the owner, who may delete some there. */
export function OwnerBrowseLink({ albumName }: { albumName: string }) {
  return (
    <Link
      to="/album/$albumName"
      params={{ albumName }}
      search={{ photos: 'all' }}
      className={`${buttonLook('secondary')} max-sm:w-full`}
    >
      {texts.seeAll}
    </Link>
  )
}

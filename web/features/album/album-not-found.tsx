import { Link } from '@tanstack/react-router'
import { album as texts } from '../../../src/texts/english/album.ts'
import { buttonLook } from '../../ui/button-look.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { SearchIcon } from '../../ui/more-icons.tsx'
import { Page } from '../../ui/page.tsx'

export default function AlbumNotFound() {
  return (
    <Page>
      <EmptyState
        icon={<SearchIcon className="size-10" />}
        level={1}
        title={texts.notFound}
        action={
          <Link to="/albums" className={buttonLook('secondary')}>
            {texts.browseAlbums}
          </Link>
        }
      >
        {texts.notFoundText}
      </EmptyState>
    </Page>
  )
}

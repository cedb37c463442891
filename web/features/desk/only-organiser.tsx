import { Link } from '@tanstack/react-router'
import { desk as texts } from '../../../src/texts/english/desk/desk.ts'
import { buttonLook } from '../../ui/button-look.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LockIcon } from '../../ui/more-icons.tsx'
import { Page } from '../../ui/page.tsx'
import { Sentence } from '../../ui/sentence.tsx'

/** Tells who is not the organiser of an album how to become that again. */
export default function OnlyOrganiser({
  albumName,
  displayName,
}: {
  albumName: string
  displayName: string
}) {
  return (
    <Page>
      <EmptyState
        icon={<LockIcon className="size-10" />}
        level={1}
        title={texts.forOrganiser}
        action={
          <>
            <Link to="/album/$albumName" params={{ albumName }} className={buttonLook('secondary')}>
              {texts.openAlbum}
            </Link>
            <Link to="/get-started" className={buttonLook('secondary')}>
              {texts.yourAlbums}
            </Link>
          </>
        }
      >
        <Sentence of={texts.forOrganiserText(<bdi>{displayName}</bdi>)} />
      </EmptyState>
    </Page>
  )
}

import { Link } from '@tanstack/react-router'
import * as pageTitles from '../../src/texts/english/page-titles.ts'
import { notFound as texts } from '../../src/texts/english/trouble.ts'
import * as common from '../../src/texts/english/words.ts'
import { usePageHead } from '../lib/page-head.ts'
import { buttonLook } from '../ui/button-look.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { SearchIcon } from '../ui/more-icons.tsx'
import { Page } from '../ui/page.tsx'

export default function NotFoundPage() {
  usePageHead(null, pageTitles.notFound)
  return (
    <Page>
      <EmptyState
        icon={<SearchIcon className="size-10" />}
        level={1}
        title={texts.title}
        action={
          <>
            <Link to="/selfie" className={buttonLook()}>
              {texts.findPhotos}
            </Link>
            <Link to="/" className={buttonLook('secondary')}>
              {common.backToHome}
            </Link>
          </>
        }
      >
        {texts.text}
      </EmptyState>
    </Page>
  )
}

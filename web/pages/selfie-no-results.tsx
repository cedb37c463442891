import { Link } from '@tanstack/react-router'
import * as pageTitles from '../../src/texts/english/page-titles.ts'
import { selfieNoResults as texts } from '../../src/texts/english/submissions.ts'
import { LibraryLink } from '../features/selfie/library-link.tsx'
import { usePageHead } from '../lib/page-head.ts'
import { buttonLook } from '../ui/button-look.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { SearchIcon } from '../ui/more-icons.tsx'
import { Page } from '../ui/page.tsx'
import { Sentence } from '../ui/sentence.tsx'

const TIPS = [texts.notClear, texts.notThere, texts.clearer, texts.facing]

export default function SelfieNoResultsPage() {
  usePageHead('selfieNoResults', pageTitles.selfieNoResults)
  return (
    <Page>
      <EmptyState
        icon={<SearchIcon className="size-10" />}
        level={1}
        title={texts.title}
        action={
          <Link to="/selfie" className={buttonLook()}>
            {texts.another}
          </Link>
        }
      >
        <p>{texts.sorry}</p>
        <ul className="mx-auto mt-5 w-fit list-disc space-y-1.5 pl-5 text-left marker:text-line-strong">
          {TIPS.map((tip) => (
            <li key={tip}>{tip}</li>
          ))}
        </ul>
        <p className="mt-5">
          <Sentence of={texts.browse(<LibraryLink />)} />
        </p>
      </EmptyState>
    </Page>
  )
}

import { selfieNoResults as texts } from '../../src/texts/english/submissions.ts'
import { LibraryLink } from '../features/selfie/library-link.tsx'
import { NewSearch, Said } from '../features/selfie/said.tsx'
import { SearchIcon } from '../ui/more-icons.tsx'
import { Page } from '../ui/page.tsx'
import { Sentence } from '../ui/sentence.tsx'

const TIPS = [texts.notClear, texts.notThere, texts.clearer, texts.facing]

export default function SelfieNoResultsPage() {
  return (
    <Page>
      <Said
        icon={<SearchIcon className="size-10" />}
        title={texts.title}
        action={<NewSearch label={texts.another} />}
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
      </Said>
    </Page>
  )
}

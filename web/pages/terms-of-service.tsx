import { PAGES } from '../../src/contract/pages.ts'
import { pageTitles, termsOfService as texts } from '../../src/texts/english.ts'
import { LegalText } from '../features/legal/legal-text.tsx'
import { usePageHead } from '../lib/page-head.ts'

export default function TermsOfServicePage() {
  usePageHead(PAGES.termsOfService, pageTitles.termsOfService)
  return <LegalText {...texts} />
}

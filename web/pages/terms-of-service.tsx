import { PAGES } from '../../src/contract/pages.ts'
import { pageTitles } from '../../src/texts/english/common.ts'
import { termsOfService as texts } from '../../src/texts/english/legal.ts'
import { LegalText } from '../features/legal/legal-text.tsx'
import { usePageHead } from '../lib/page-head.ts'

export default function TermsOfServicePage() {
  usePageHead(PAGES.termsOfService, pageTitles.termsOfService)
  return <LegalText {...texts} />
}

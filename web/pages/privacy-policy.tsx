import { PAGES } from '../../src/contract/pages.ts'
import { pageTitles } from '../../src/texts/english/common.ts'
import { privacyPolicy as texts } from '../../src/texts/english/legal.ts'
import { LegalText } from '../features/legal/legal-text.tsx'
import { usePageHead } from '../lib/page-head.ts'

export default function PrivacyPolicyPage() {
  usePageHead(PAGES.privacyPolicy, pageTitles.privacyPolicy)
  return <LegalText {...texts} />
}

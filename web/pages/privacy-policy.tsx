import { privacyPolicy as texts } from '../../src/texts/english/legal.ts'
import * as pageTitles from '../../src/texts/english/page-titles.ts'
import { LegalText } from '../features/legal/legal-text.tsx'
import { usePageHead } from '../lib/page-head.ts'

export default function PrivacyPolicyPage() {
  usePageHead('privacyPolicy', pageTitles.privacyPolicy)
  return <LegalText {...texts} />
}

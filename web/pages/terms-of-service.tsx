import { termsOfService as texts } from '../../src/texts/english/legal.ts'
import { LegalText } from '../features/legal/legal-text.tsx'

export default function TermsOfServicePage() {
  return <LegalText {...texts} />
}

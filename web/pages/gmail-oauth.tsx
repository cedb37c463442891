import { useState } from 'react'
import { PAGES } from '../../src/contract/pages.ts'
import { pageTitles } from '../../src/texts/english.ts'
import { ExchangeCode } from '../features/mail-setup/exchange-code.tsx'
import { GenerateUrl } from '../features/mail-setup/generate-url.tsx'
import { useReturnedCode } from '../features/mail-setup/returned-code.ts'
import { SetupLinkNotice } from '../features/mail-setup/setup-link-notice.tsx'
import { useSetupLink } from '../features/mail-setup/use-setup-link.ts'
import { usePageHead } from '../lib/page-head.ts'
import { Card } from '../ui/card.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page, PageHeading } from '../ui/page.tsx'

export default function GmailOauthPage() {
  usePageHead(PAGES.gmailOauth, pageTitles.gmailOauth)
  const returned = useReturnedCode()
  const setupLink = useSetupLink()
  const [state, setState] = useState(returned.state)
  const [isExchanged, setIsExchanged] = useState(false)

  return (
    <Page width="read">
      <PageHeading
        title="Gmail OAuth Setup"
        subtitle="For the people who run Inframe: send its letters from a Gmail account."
      />
      <SetupLinkNotice link={setupLink} />
      {returned.code && !isExchanged && (
        <Notice className="mb-6" title="Google has sent the code">
          Press Exchange Code for Tokens to finish.
        </Notice>
      )}
      {returned.error && (
        <Notice tone="error" className="mb-6" title={`Error: ${returned.error}`}>
          Google did not give the permission. Generate a new OAuth URL and allow everything that Google asks
          for.
        </Notice>
      )}
      <Card className="space-y-8">
        <ol className="list-decimal space-y-2 pl-5 text-ink-soft marker:font-semibold marker:text-ink">
          <li>Generate the OAuth URL, and allow Inframe to send mail from the account you choose.</li>
          <li>Google sends you back here with the authorization code. You can also paste the code below.</li>
          <li>
            Exchange the code, and check the console for the refresh token. You do not have to copy it:
            Inframe stores it encrypted.
          </li>
        </ol>
        <GenerateUrl onGenerated={setState} />
        <ExchangeCode initialCode={returned.code} state={state} onExchanged={() => setIsExchanged(true)} />
      </Card>
    </Page>
  )
}

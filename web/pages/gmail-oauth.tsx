import { useState } from 'react'
import { PAGES } from '../../src/contract/pages.ts'
import { pageTitles } from '../../src/texts/english/common.ts'
import { gmailOauth as texts } from '../../src/texts/english/mail-setup.ts'
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
      <PageHeading title={texts.title} subtitle={texts.subtitle} />
      <SetupLinkNotice link={setupLink} />
      {returned.code && !isExchanged && (
        <Notice className="mb-6" title={texts.gotCode}>
          {texts.pressExchange}
        </Notice>
      )}
      {returned.error && (
        <Notice tone="error" className="mb-6" title={texts.error(returned.error)}>
          {texts.notPermitted}
        </Notice>
      )}
      <Card className="space-y-8">
        <ol className="list-decimal space-y-2 pl-5 text-ink-soft marker:font-semibold marker:text-ink">
          <li>{texts.generateStep}</li>
          <li>{texts.returnStep}</li>
          <li>{texts.exchangeStep}</li>
        </ol>
        <GenerateUrl onGenerated={setState} />
        <ExchangeCode initialCode={returned.code} state={state} onExchanged={() => setIsExchanged(true)} />
      </Card>
    </Page>
  )
}

import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { gmailOauth as texts } from '../../src/texts/english/mail-setup.ts'
import * as pageTitles from '../../src/texts/english/page-titles.ts'
import { ExchangeCode } from '../features/mail-setup/exchange-code.tsx'
import { GenerateUrl } from '../features/mail-setup/generate-url.tsx'
import { SetupLinkNotice } from '../features/mail-setup/setup-link-notice.tsx'
import { usePageHead } from '../lib/page-head.ts'
import { Card } from '../ui/card.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page, PageHeading } from '../ui/page.tsx'

export default function GmailOauthPage() {
  usePageHead('gmailOauth', pageTitles.gmailOauth)
  const returned = useReturnedCode()
  const [state, setState] = useState(returned.state)
  const [isExchanged, setIsExchanged] = useState(false)

  return (
    <Page width="read">
      <PageHeading title={texts.title} subtitle={texts.subtitle} />
      <SetupLinkNotice />
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
      <Card className="space-y-6">
        <ol className="list-decimal space-y-2 pl-5 text-ink-soft">
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

/** Reads the parameters of Google's redirect (RFC 6749, §4.1.2) once, and removes them from the address bar and the
 *  browser's history. Each is empty when it is missing. */
function useReturnedCode() {
  const { history } = useRouter()
  const [returned] = useState(() => {
    const query = new URLSearchParams(window.location.search)
    const [code = '', state = '', error = ''] = ['code', 'state', 'error'].map(
      (name) => query.get(name) ?? '',
    )
    return { code, state, error }
  })
  useEffect(() => {
    if (window.location.search) history.replace(window.location.pathname)
  }, [history])
  return returned
}

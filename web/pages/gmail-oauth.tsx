import { useMutation } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type SubmitEvent, useEffect, useState } from 'react'
import {
  generateUrl,
  setupLink,
  exchangeCode as texts,
  gmailOauth as words,
} from '../../src/texts/english/mail-setup.ts'
import * as common from '../../src/texts/english/words.ts'
import { failureOf, failureText } from '../lib/failure.ts'
import { useFragment } from '../lib/use-fragment.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Field } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page, PageHeading } from '../ui/page.tsx'
import { Sentence } from '../ui/sentence.tsx'
import { toast } from '../ui/toast-store.ts'

/** Lets the service send its letters through a Gmail account: opens Google's page, and takes the code that it sends back. */
export default function GmailOauthPage() {
  const { code, error, state: returned } = useReturned()
  const [state, setState] = useState(returned)
  const [isExchanged, setIsExchanged] = useState(false)
  return (
    <Page width="read">
      <PageHeading title={words.title} subtitle={words.subtitle} />
      <SetupLinkNotice />
      {code && !isExchanged && (
        <Notice className="mb-6" title={words.gotCode}>
          {words.pressExchange}
        </Notice>
      )}
      {error && (
        <Notice tone="error" className="mb-6" title={words.error(error)}>
          {words.notPermitted}
        </Notice>
      )}
      <Card className="space-y-6">
        <ol className="list-decimal space-y-2 pl-5 text-ink-soft">
          <li>{words.generateStep}</li>
          <li>{words.returnStep}</li>
          <li>{words.exchangeStep}</li>
        </ol>
        <GenerateUrl onGenerated={setState} />
        <ExchangeCode returned={code} state={state} onExchanged={() => setIsExchanged(true)} />
      </Card>
    </Page>
  )
}

/** Reads the parameters of Google's redirect (RFC 6749, §4.1.2) once, and removes them from the address bar and the
 *  browser's history. Each is empty when it is missing. */
function useReturned() {
  const { history } = useRouter()
  const [query] = useState(() => new URLSearchParams(window.location.search))
  useEffect(() => {
    if (window.location.search) history.replace(window.location.pathname)
  }, [history])
  const [code, state, error] = ['code', 'state', 'error'].map((name) => query.get(name) ?? '')
  return { code: code!, state: state!, error: error! }
}

/** Opens the set-up link that led to this page (`#setup=TOKEN`), which gives this browser's session the maintainer's
 *  rights, and says how that goes. Nothing for who came without one. */
function SetupLinkNotice() {
  const { mutate: open, isPending, isSuccess, error, variables } = trpc.mailSetup.openSetupLink.useMutation()
  const token = useFragment('setup', (found) => open({ token: found }))
  if (token !== undefined || isPending)
    return (
      <p role="status" className="mb-6 text-ink-soft">
        {setupLink.opening}
      </p>
    )
  if (isSuccess)
    return (
      <Notice tone="success" className="mb-6" title={setupLink.done}>
        {setupLink.doneText}
      </Notice>
    )
  if (!error) return null
  return (
    <Notice tone="error" className="mb-6" title={setupLink.error(failureText(error))}>
      {failureOf(error)?.status !== 401 && (
        <Button look="secondary" className="mt-4" onClick={() => open(variables!)}>
          {common.tryAgain}
        </Button>
      )}
    </Notice>
  )
}

/** Opens Google's page in a new tab. @param onGenerated gets the state that Google will return with the code */
function GenerateUrl({ onGenerated }: { onGenerated: (state: string) => void }) {
  const { client } = trpc.useUtils()
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: () => client.mailSetup.authUrl.query(),
    onSuccess: ({ authUrl }) => {
      toast({ title: generateUrl.generated, tone: 'success' })
      onGenerated(new URL(authUrl).searchParams.get('state') ?? '')
      window.open(authUrl, '_blank', 'noopener')
    },
    onError: () => toast({ title: common.error, description: generateUrl.failed, tone: 'error' }),
  })
  // Browsers may stop a page from opening tabs.
  const link = (text: string) => (
    <a
      href={data?.authUrl}
      target="_blank"
      rel="noopener"
      className="font-medium text-ink underline underline-offset-4"
    >
      {text}
    </a>
  )
  return (
    <div className="space-y-4">
      <Button size="lg" look="secondary" className="w-full" busy={isPending} onClick={() => mutate()}>
        {generateUrl.generate}
      </Button>
      {error && <Notice tone="error" title={`${generateUrl.error}: ${failureText(error)}`} />}
      {data && (
        <p className="text-ink-soft">
          <Sentence of={generateUrl.noNewTab(link)} />
        </p>
      )}
    </div>
  )
}

interface ExchangeCodeProps {
  /** The code from Google's redirect, or ''. */
  returned: string
  /** The state that the code belongs to, or ''. */
  state: string
  /** The code was used. It cannot be used again. */
  onExchanged: () => void
}

function ExchangeCode({ returned, state, onExchanged }: ExchangeCodeProps) {
  const [code, setCode] = useState(returned)
  const { mutate, isPending, data, error } = trpc.mailSetup.exchangeCode.useMutation({
    onSuccess: ({ hasRefreshToken }) => {
      toast(
        hasRefreshToken
          ? { title: texts.success, description: texts.received, tone: 'success' }
          : { title: texts.notReceived, description: texts.checkConsole, tone: 'error' },
      )
      setCode('')
      onExchanged()
    },
    onError: () => toast({ title: common.error, description: texts.failed, tone: 'error' }),
  })

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isPending) return
    if (code.trim() === '') toast({ title: common.error, description: texts.missing, tone: 'error' })
    else mutate({ code, state: state || undefined })
  }

  return (
    <form onSubmit={submit} noValidate className="space-y-4">
      <Field
        label={texts.code}
        name="code"
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        hint={texts.codeHint}
        value={code}
        onChange={(event) => setCode(event.target.value)}
      />
      <Button type="submit" size="lg" className="w-full" busy={isPending}>
        {texts.exchange}
      </Button>
      {error && <Notice tone="error" title={`${common.error}: ${failureText(error)}`} />}
      {data?.hasRefreshToken === true && (
        <Notice tone="success" title={texts.done}>
          {texts.doneText}
        </Notice>
      )}
      {data?.hasRefreshToken === false && <Notice title={texts.noToken}>{texts.noTokenText}</Notice>}
    </form>
  )
}

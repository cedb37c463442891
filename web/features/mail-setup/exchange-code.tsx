import { type SubmitEvent, useState } from 'react'
import { exchangeCode as texts } from '../../../src/texts/english/mail-setup.ts'
import * as common from '../../../src/texts/english/words.ts'
import { failureText } from '../../lib/failure.ts'
import { trpc } from '../../trpc.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toast-store.ts'

export interface ExchangeCodeProps {
  /** The code from Google's redirect, or ''. */
  initialCode: string
  /** The state that the code belongs to, or ''. */
  state: string
  /** The code was used. It cannot be used again. */
  onExchanged: () => void
}

export function ExchangeCode({ initialCode, state, onExchanged }: ExchangeCodeProps) {
  const [code, setCode] = useState(initialCode)
  const exchange = trpc.mailSetup.exchangeCode.useMutation({
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
    if (exchange.isPending) return
    if (code.trim() === '') toast({ title: common.error, description: texts.missing, tone: 'error' })
    else exchange.mutate({ code, state: state || undefined })
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
      <Button type="submit" size="lg" className="w-full" busy={exchange.isPending}>
        {texts.exchange}
      </Button>
      {exchange.isError && <Notice tone="error" title={`${common.error}: ${failureText(exchange.error)}`} />}
      {exchange.data &&
        (exchange.data.hasRefreshToken ? (
          <Notice tone="success" title={texts.done}>
            {texts.doneText}
          </Notice>
        ) : (
          <Notice title={texts.noToken}>{texts.noTokenText}</Notice>
        ))}
    </form>
  )
}

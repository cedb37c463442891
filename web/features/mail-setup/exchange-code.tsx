import { type SubmitEvent, useState } from 'react'
import { trpc } from '../../trpc.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toast-store.ts'
import { FailureNotice } from './failure-notice.tsx'

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
          ? { title: 'Success!', description: 'Refresh token received.', tone: 'success' }
          : { title: 'No refresh token received', description: 'Check console for tokens.', tone: 'error' },
      )
      setCode('')
      onExchanged()
    },
    onError: () =>
      toast({ title: 'Error', description: 'Failed to exchange authorization code', tone: 'error' }),
  })

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (exchange.isPending) return
    if (code.trim() === '')
      toast({ title: 'Error', description: 'Please enter the authorization code', tone: 'error' })
    else exchange.mutate({ code, state: state || undefined })
  }

  return (
    <form onSubmit={submit} noValidate className="space-y-4">
      <Field
        label="Authorization Code"
        name="code"
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        hint="The code, or the whole address that Google sent you to."
        value={code}
        onChange={(event) => setCode(event.target.value)}
      />
      <Button
        type="submit"
        size="lg"
        className="w-full"
        busy={exchange.isPending}
        disabled={exchange.isPending}
      >
        Exchange Code for Tokens
      </Button>
      {exchange.isError && <FailureNotice prefix="Error" error={exchange.error} />}
      {exchange.data &&
        (exchange.data.hasRefreshToken ? (
          <Notice tone="success" title="Letters now go through this Gmail account">
            The refresh token is stored encrypted. It was also written once to the console that Inframe runs
            in. Nothing else is left to do.
          </Notice>
        ) : (
          <Notice title="Google gave no refresh token">
            Nothing has changed. Generate a new OAuth URL and try again.
          </Notice>
        ))}
    </form>
  )
}

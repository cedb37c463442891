import { type SubmitEvent, useState } from 'react'
import { EMAIL_MAX_LENGTH } from '../../../src/contract/limits.ts'
import { sendMyAlbums as texts } from '../../../src/texts/english/desk/desk-settings.ts'
import { failureText, issuesOf } from '../../lib/failure.ts'
import { trpc } from '../../trpc.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Sentence } from '../../ui/sentence.tsx'

/** Sends an organiser who has lost the way to their albums a letter with the links. */
export default function SendMyAlbums() {
  const [email, setEmail] = useState('')
  const { mutate, variables, isSuccess, isPending, error, reset } = trpc.albums.sendMine.useMutation()
  const wrongEmail = issuesOf(error)[0]?.message

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (!isPending) mutate({ email: email.trim() })
  }

  return (
    <Card aria-labelledby="send-my-albums" className="mt-6">
      <h2 id="send-my-albums" className="text-heading font-semibold">
        {texts.title}
      </h2>
      <p className="mt-1 text-ink-soft">{texts.text}</p>
      <form onSubmit={submit} className="mt-4 space-y-4">
        <Field
          label={texts.email}
          type="email"
          name="ownerEmail"
          required
          maxLength={EMAIL_MAX_LENGTH}
          autoComplete="email"
          {...(wrongEmail && { error: wrongEmail })}
          value={email}
          onChange={(event) => {
            if (!isPending) reset()
            setEmail(event.target.value)
          }}
        />
        {error && !wrongEmail && (
          <Notice tone="error" title={texts.failed}>
            {failureText(error)}
          </Notice>
        )}
        {isSuccess && (
          <Notice tone="success" title={texts.sent}>
            <Sentence of={texts.sentText(<bdi className="break-words">{variables.email}</bdi>)} />
          </Notice>
        )}
        <Button
          type="submit"
          look="secondary"
          className="max-sm:w-full"
          busy={isPending}
          disabled={email.trim() === '' || isPending}
        >
          {isPending ? texts.sending : texts.send}
        </Button>
      </form>
    </Card>
  )
}

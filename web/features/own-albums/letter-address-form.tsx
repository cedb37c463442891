import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { EMAIL_MAX_LENGTH } from '../../../src/contract/limits.ts'
import { ownerLetters as texts } from '../../../src/texts/english/album-owner.ts'
import * as common from '../../../src/texts/english/words.ts'
import { failureText, issuesOf } from '../../lib/failure.ts'
import { takeFocus } from '../../lib/focus.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'

export interface LetterAddressFormProps {
  /** The present address, to be corrected, where the owner may see all of it. */
  present?: string
  change: (email: string) => Promise<void>
  /** The address is changed, or the owner changes nothing. */
  onClose: () => void
}

/** Takes the new address of the letters. */
export function LetterAddressForm({ present = '', change, onClose }: LetterAddressFormProps) {
  const [email, setEmail] = useState(present)
  const { mutate, isPending, error } = useMutation({ mutationFn: change, onSuccess: onClose })
  const wrongEmail = issuesOf(error).find(({ path }) => path[0] === 'email')?.message

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (!isPending) mutate(email.trim())
  }

  return (
    <form onSubmit={submit} className="space-y-4">
      <Field
        ref={takeFocus}
        label={texts.email}
        type="email"
        name="email"
        required
        maxLength={EMAIL_MAX_LENGTH}
        autoComplete="email"
        hint={texts.hint}
        {...(wrongEmail && { error: wrongEmail })}
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      {error && !wrongEmail && (
        <Notice tone="error" title={texts.notSaved}>
          {failureText(error)}
        </Notice>
      )}
      <div className="flex flex-wrap-reverse gap-3 sm:justify-end">
        <Button look="secondary" className="max-sm:w-full" onClick={onClose}>
          {common.cancel}
        </Button>
        <Button
          type="submit"
          className="max-sm:w-full"
          busy={isPending}
          disabled={email.trim() === '' || isPending}
        >
          {isPending ? texts.saving : texts.save}
        </Button>
      </div>
    </form>
  )
}

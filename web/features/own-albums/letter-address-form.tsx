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
  isSaving: boolean
  /** Why it was not saved. */
  failure: unknown
  onSave: (email: string) => void
  onCancel: () => void
}

/** Takes the new address of the letters. */
export function LetterAddressForm({
  present = '',
  isSaving,
  failure,
  onSave,
  onCancel,
}: LetterAddressFormProps) {
  const [email, setEmail] = useState(present)
  const wrongEmail = issuesOf(failure).find(({ path }) => path[0] === 'email')?.message

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (!isSaving) onSave(email.trim())
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
      {failure !== null && !wrongEmail && (
        <Notice tone="error" title={texts.notSaved}>
          {failureText(failure)}
        </Notice>
      )}
      <div className="flex flex-wrap-reverse gap-3 sm:justify-end">
        <Button look="secondary" className="max-sm:w-full" onClick={onCancel}>
          {common.cancel}
        </Button>
        <Button
          type="submit"
          className="max-sm:w-full"
          busy={isSaving}
          disabled={email.trim() === '' || isSaving}
        >
          {isSaving ? texts.saving : texts.save}
        </Button>
      </div>
    </form>
  )
}

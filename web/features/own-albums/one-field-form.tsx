import { useMutation } from '@tanstack/react-query'
import { type ReactNode, type SubmitEvent, useState } from 'react'
import * as common from '../../../src/texts/english/words.ts'
import { issueWith } from '../../lib/failure.ts'
import { takeFocus } from '../../lib/focus.ts'
import { Button } from '../../ui/button.tsx'
import { Field, type FieldProps } from '../../ui/field.tsx'
import { FailureNotice } from '../../ui/loading.tsx'

export interface OneFieldFormProps extends Omit<FieldProps, 'value' | 'error' | 'onChange'> {
  /** As the service names it when it says what is wrong with the value. */
  name: string
  /** The present value. */
  present: string
  texts: { save: string; saving: string; notSaved: string }
  change: (value: string) => Promise<void>
  /** Whether everything else is said. */
  isComplete?: boolean
  /** What else is to be said, below the field. */
  children?: ReactNode
  /** The value is changed, or the visitor changes nothing. */
  onClose: () => void
}

/** Changes one value. It replaces the button that has opened it. */
export function OneFieldForm(props: OneFieldFormProps) {
  const { name, present, texts, change, isComplete = true, children, onClose, ...field } = props
  const [value, setValue] = useState(present)
  const { mutate, isPending, error } = useMutation({ mutationFn: change })
  const wrong = issueWith(error, name)

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    // Not for a form that was closed meanwhile: by then another one may be open.
    if (!isPending) mutate(value.trim(), { onSuccess: onClose })
  }

  return (
    <form onSubmit={submit} className="space-y-4">
      <Field
        ref={takeFocus}
        name={name}
        required
        {...field}
        {...(wrong && { error: wrong })}
        value={value}
        onChange={(event) => setValue(event.target.value)}
      />
      {children}
      <FailureNotice error={!wrong && error} title={texts.notSaved} />
      <div className="flex flex-wrap-reverse gap-3 sm:justify-end">
        <Button look="secondary" className="max-sm:w-full" onClick={onClose}>
          {common.cancel}
        </Button>
        <Button
          type="submit"
          className="max-sm:w-full"
          busy={isPending}
          disabled={!isComplete || value.trim() === '' || isPending}
        >
          {isPending ? texts.saving : texts.save}
        </Button>
      </div>
    </form>
  )
}

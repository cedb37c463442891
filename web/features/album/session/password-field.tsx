import type { ComponentProps } from 'react'
import { passwordField as texts } from '../../../../src/texts/english.ts'
import { Field } from '../../../ui/field.tsx'

export interface PasswordFieldProps
  extends Omit<ComponentProps<typeof Field>, 'type' | 'end' | 'ref' | 'className'> {
  ref: { current: HTMLInputElement | null }
  shown: boolean
  onShow: (shown: boolean) => void
}

/** A password field whose text can be shown, for visitors who copy the password from a printed card. */
export function PasswordField({ ref, shown, onShow, ...field }: PasswordFieldProps) {
  function toggle() {
    const input = ref.current!
    const { selectionStart, selectionEnd } = input
    onShow(!shown)
    // When the field's type changes, the browser moves the caret to the start.
    requestAnimationFrame(() => {
      if (document.activeElement === input) input.setSelectionRange(selectionStart, selectionEnd)
    })
  }

  return (
    <Field
      {...field}
      ref={ref}
      // Edge would add a button of its own.
      className="[&_input::-ms-reveal]:hidden"
      type={shown ? 'text' : 'password'}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      end={
        <button
          type="button"
          aria-label={shown ? texts.hidePassword : texts.showPassword}
          // The focus stays in the field, and a phone's keyboard stays open.
          onMouseDown={(event) => event.preventDefault()}
          onClick={toggle}
          className="min-h-11 min-w-14 rounded-sm px-2.5 text-sm font-semibold text-ink-soft underline decoration-line-strong underline-offset-4 -outline-offset-3 hover:text-ink"
        >
          {shown ? texts.hide : texts.show}
        </button>
      }
    />
  )
}

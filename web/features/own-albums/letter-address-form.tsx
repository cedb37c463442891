import { EMAIL_MAX_LENGTH } from '../../../src/contract/limits.ts'
import { ownerLetters as texts } from '../../../src/texts/english/album-owner.ts'
import { OneFieldForm, type OneFieldFormProps } from './one-field-form.tsx'

/** Takes the new address of the letters. `present` is the one to be corrected, where the owner may see all of it. */
export const LetterAddressForm = (props: Pick<OneFieldFormProps, 'present' | 'change' | 'onClose'>) => (
  <OneFieldForm
    name="email"
    type="email"
    label={texts.email}
    hint={texts.hint}
    maxLength={EMAIL_MAX_LENGTH}
    autoComplete="email"
    texts={texts}
    {...props}
  />
)

import { EMAIL_MAX_LENGTH } from '../../../src/contract/limits.ts'
import { ownerLetters as texts } from '../../../src/texts/english/album-owner.ts'
import { OneFieldForm, type OneFieldFormProps } from './one-field-form.tsx'

export interface LetterAddressFormProps extends Pick<OneFieldFormProps, 'change' | 'onClose'> {
  /** The present address, to be corrected, where the owner may see all of it. */
  present?: string
}

/** Takes the new address of the letters. */
export const LetterAddressForm = ({ present = '', ...rest }: LetterAddressFormProps) => (
  <OneFieldForm
    name="email"
    type="email"
    label={texts.email}
    hint={texts.hint}
    maxLength={EMAIL_MAX_LENGTH}
    autoComplete="email"
    present={present}
    texts={texts}
    {...rest}
  />
)

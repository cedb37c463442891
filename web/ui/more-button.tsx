import * as common from '../../src/texts/english/words.ts'
import { Button, type ButtonProps } from './button.tsx'

export interface MoreButtonProps extends Pick<ButtonProps, 'ref' | 'size'> {
  isLoading: boolean
  onClick: () => void
  /** The label while nothing is loading. */
  children: string
}

/** Loads more of a list. While it loads, it is not disabled: it would lose the keyboard's focus. */
export function MoreButton({ isLoading, children, ...rest }: MoreButtonProps) {
  return (
    <Button look="secondary" busy={isLoading} {...rest}>
      {isLoading ? common.loading : children}
    </Button>
  )
}

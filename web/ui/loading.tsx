/** What a page shows of a call that loads or saves something. */
import * as common from '../../src/texts/english/words.ts'
import { failureText } from '../lib/failure.ts'
import { Button, type ButtonProps } from './button.tsx'
import { Notice, type NoticeProps } from './notice.tsx'

export interface FailureNoticeProps extends Pick<NoticeProps, 'title' | 'className'> {
  error: unknown
  /** Missing where the visitor tries again with another button. */
  onRetry?: (() => unknown) | undefined
}

/** Says why a call has failed. Nothing while it has not. */
export function FailureNotice({ error, onRetry, ...notice }: FailureNoticeProps) {
  if (!error) return null
  return (
    <Notice tone="error" {...notice}>
      <p>{failureText(error)}</p>
      {onRetry && (
        <Button look="secondary" className="mt-4" onClick={() => onRetry()}>
          {common.tryAgain}
        </Button>
      )}
    </Notice>
  )
}

export interface MoreButtonProps extends Pick<ButtonProps, 'ref' | 'size'> {
  isLoading: boolean
  onClick: () => void
  /** The label while nothing is loading. */
  children: string
}

/** Loads more of a list. While it loads, it is not disabled: it would lose the keyboard's focus. */
export function MoreButton({ isLoading, children, ...rest }: MoreButtonProps) {
  return (
    <Button look="secondary" busy={isLoading} disabled={false} {...rest}>
      {isLoading ? common.loading : children}
    </Button>
  )
}

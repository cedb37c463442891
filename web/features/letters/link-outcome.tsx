import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { common } from '../../../src/texts/english/site.ts'
import { buttonLook } from '../../ui/button-look.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { AlertIcon } from '../../ui/icons.tsx'
import { CheckIcon } from '../../ui/more-icons.tsx'
import { Page } from '../../ui/page.tsx'

export interface LinkOutcomeProps {
  isGood: boolean
  title: string
  /** False when the page begins with it. Otherwise it replaces the button that had the focus. */
  takesFocus?: boolean
  /** What can be done next; the way home by default. */
  action?: ReactNode
  children: ReactNode
}

/** The whole page behind a link in a letter. It says what has happened. */
export function LinkOutcome({ isGood, title, takesFocus = true, action, children }: LinkOutcomeProps) {
  return (
    <Page>
      <EmptyState
        icon={isGood ? <CheckIcon className="size-10" /> : <AlertIcon className="size-10" />}
        level={1}
        takesFocus={takesFocus}
        title={title}
        action={
          action ?? (
            <Link to="/" className={buttonLook('secondary')}>
              {common.backToHome}
            </Link>
          )
        }
      >
        {children}
      </EmptyState>
    </Page>
  )
}

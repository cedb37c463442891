import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { selfieResults as texts } from '../../../src/texts/english/submissions.ts'
import * as common from '../../../src/texts/english/words.ts'
import { buttonLook } from '../../ui/button-look.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { AlertIcon } from '../../ui/icons.tsx'
import { SearchIcon } from '../../ui/more-icons.tsx'

export interface SaidProps {
  /** How a screen reader reads it. Missing where the page begins with it. */
  role?: 'status' | 'alert'
  icon?: ReactNode
  title: string
  action?: ReactNode
  children: ReactNode
}

/** What the page of results says in place of photos. */
export function Said({ role, icon, title, action = <NewSearch />, children }: SaidProps) {
  return (
    <div role={role}>
      <EmptyState icon={icon ?? <AlertIcon className="size-10" />} level={1} title={title} action={action}>
        {children}
      </EmptyState>
    </div>
  )
}

export const NoPhotos = () => (
  <Said
    role="status"
    icon={<SearchIcon className="size-10" />}
    title={texts.none}
    action={<NewSearch label={texts.another} />}
  >
    {texts.noneText}
  </Said>
)

export const NewSearch = ({ label = common.startNewSearch }: { label?: string }) => (
  <Link to="/selfie" className={buttonLook()}>
    {label}
  </Link>
)

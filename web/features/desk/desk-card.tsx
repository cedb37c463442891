import { type ComponentProps, type ReactNode, type Ref, useId } from 'react'
import { Card } from '../../ui/card.tsx'

export interface DeskCardProps extends ComponentProps<'section'> {
  title: string
  /** What it is for. */
  text?: ReactNode
  /** Of the heading, which can then take the focus. */
  headingRef?: Ref<HTMLHeadingElement>
}

/** A card with a heading, which is also its name for a screen reader. */
export function DeskCard({ title, text, headingRef, children, ...rest }: DeskCardProps) {
  const id = useId()
  return (
    <Card aria-labelledby={id} {...rest}>
      <h2
        id={id}
        ref={headingRef}
        tabIndex={headingRef ? -1 : undefined}
        className="text-heading font-semibold outline-none"
      >
        {title}
      </h2>
      {text && <p className="mt-1 text-ink-soft">{text}</p>}
      {children}
    </Card>
  )
}

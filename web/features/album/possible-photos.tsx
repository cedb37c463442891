import { type ReactNode, useEffect, useId, useRef } from 'react'
import { possiblePhotos as texts } from '../../../src/texts/english.ts'
import { Button } from '../../ui/button.tsx'
import type { AlbumSearch } from './album-search-types.ts'
import type { Found } from './found.ts'
import { PossiblePhotoCard } from './possible-photo-card.tsx'

export interface PossiblePhotosProps {
  found: Found
  search: AlbumSearch
  title: string
  /** The heading takes the focus, because it replaces what the visitor was using. */
  takesFocus: boolean
  /** What else can be done, beside the heading. */
  action: ReactNode
  /** What is below the heading. */
  children: ReactNode
}

/** Asks about each photo that may show the visitor. */
export function PossiblePhotos(props: PossiblePhotosProps) {
  const { found, search, title, takesFocus, action, children } = props
  const { possible, answers } = found
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const outcome = useRef<HTMLParagraphElement>(null)
  /** The place of the question that gets the focus, because the pressed button goes away. */
  const next = useRef<number>(undefined)

  useEffect(() => {
    if (takesFocus) heading.current?.focus()
  }, [takesFocus])

  useEffect(() => {
    if (next.current === undefined) return
    const questions = list.current!.querySelectorAll<HTMLElement>('[role=group]')
    const question = questions[next.current] ?? questions[0] ?? outcome.current
    next.current = undefined
    question?.focus()
  })

  return (
    <section aria-labelledby={id} className="flex flex-col">
      <div className="mb-5 flex flex-wrap items-center justify-between gap-4">
        <h2
          id={id}
          ref={heading}
          tabIndex={-1}
          className={possible.length > 0 ? 'text-2xl font-bold tracking-tight outline-none' : 'sr-only'}
        >
          {title}
        </h2>
        {action}
      </div>
      {children}
      {answers.length > 0 && (
        // Below the list, and always visible. The focus is on a question: this is the control before it.
        <div className="sticky bottom-3 z-10 order-last mx-auto mt-4 flex max-w-full items-center gap-4 rounded-full border border-line bg-surface py-1.5 pr-2 pl-5 shadow-float">
          <p ref={outcome} role="status" tabIndex={-1} className="outline-none">
            {outcomeOf(found, search.isFollowingUp)}
          </p>
          <Button
            look="quiet"
            onClick={() => {
              next.current = 0
              search.undo()
            }}
          >
            {texts.undo}
          </Button>
        </div>
      )}
      <ul ref={list} className="grid gap-3 sm:gap-4 lg:grid-cols-2">
        {possible.map((photo, place) => (
          <PossiblePhotoCard
            key={photo.face.id}
            photo={photo}
            place={place}
            count={possible.length}
            issued={found.at}
            isRenewing={search.isRenewing}
            onFail={search.reportFailure}
            onRetry={search.renew}
            onAnswer={(isMe) => {
              next.current = place
              search.answer(photo, isMe)
            }}
          />
        ))}
      </ul>
    </section>
  )
}

/** What the last answer has led to. */
function outcomeOf({ answers, possible, added }: Found, isFollowingUp: boolean): string {
  const end = possible.length === 0 ? ` ${texts.last}` : ''
  if (!answers.at(-1)!.isMe) return texts.leftOut + end
  if (isFollowingUp) return texts.followingUp
  return (added > 0 ? texts.addedMore(added) : texts.added) + end
}

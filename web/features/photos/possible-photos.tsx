import { Component, createRef, type ReactNode, useId, useRef } from 'react'
import { flushSync } from 'react-dom'
import type { PossibleResult } from '../../../src/contract/submissions.ts'
import {
  possiblePhoto as question,
  possiblePhotos as texts,
} from '../../../src/texts/english/search-results.ts'
import { takeFocus } from '../../lib/focus.ts'
import { Button } from '../../ui/button.tsx'
import { CheckIcon, CloseIcon } from '../../ui/more-icons.tsx'
import { cropAround } from './crop-around.ts'
import { PhotoThumb } from './photo-thumb.tsx'

export interface PossiblePhotosProps<Photo> {
  /** The visitor has to be asked about these. */
  possible: readonly Photo[]
  /** What the last answer has led to. Undefined while there is none. */
  outcome: string | undefined
  onAnswer: (photo: Photo, isMe: boolean) => void
  onUndo: () => void
  title: string
  /** The heading takes the focus, because it replaces what the visitor was using. */
  takesFocus: boolean
  /** What else can be done, beside the heading. */
  action?: ReactNode
  /** What is below the heading. */
  children?: ReactNode
}

const ANSWERS = [
  { isMe: true, label: question.yes, Icon: CheckIcon },
  { isMe: false, label: question.no, Icon: CloseIcon },
]

/** Asks about each photo that may show the visitor. The face in question is beside it. */
export function PossiblePhotos<Photo extends PossibleResult>(props: PossiblePhotosProps<Photo>) {
  const { possible, outcome, onAnswer, onUndo, title, takesFocus, action, children } = props
  const id = useId()
  const list = useRef<HTMLUListElement>(null)
  const status = useRef<HTMLParagraphElement>(null)

  /** Gives the focus to a question, because the pressed button goes away. The second press of a double tap or click does
   *  nothing: the visitor meant what was there before.
   *  @param detail of the click
   *  @param place of the question */
  function press(detail: number, place: number, change: () => void): void {
    if (detail > 1) return
    flushSync(change)
    const questions = list.current!.querySelectorAll<HTMLElement>('[role=group]')
    const next = questions[place] ?? questions[0] ?? status.current
    next?.focus()
  }

  return (
    <KeptInPlace>
      <section aria-labelledby={id} className="flex flex-col">
        <div className="mb-5 flex flex-wrap items-center justify-between gap-4">
          <h2
            id={id}
            ref={takesFocus ? takeFocus : undefined}
            tabIndex={-1}
            className={possible.length > 0 ? 'text-2xl font-bold tracking-tight outline-none' : 'sr-only'}
          >
            {title}
          </h2>
          {action}
        </div>
        {children}
        {outcome !== undefined && (
          // Below the list, and always visible. The focus is on a question: this is the control before it.
          <div className="sticky bottom-3 z-10 order-last mx-auto mt-4 flex max-w-full items-center gap-4 rounded-full border border-line bg-surface py-1.5 pr-2 pl-5 shadow-float">
            <p ref={status} role="status" tabIndex={-1} className="outline-none">
              {outcome}
            </p>
            <Button look="quiet" onClick={({ detail }) => press(detail, 0, onUndo)}>
              {texts.undo}
            </Button>
          </div>
        )}
        <ul ref={list} className="grid gap-3 sm:gap-4 lg:grid-cols-2">
          {possible.map((photo, place) => (
            <li key={photo.face.id}>
              {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form. */}
              <div
                role="group"
                tabIndex={-1}
                aria-labelledby={`${id}-${photo.face.id}`}
                className="scroll-mb-24 rounded-xl border border-line bg-surface p-3 shadow-card"
              >
                <p id={`${id}-${photo.face.id}`} className="sr-only">
                  {question.question(photo.filename, place + 1, possible.length)}
                </p>
                <div className="grid grid-cols-[3fr_4fr] gap-3">
                  <PhotoThumb
                    src={photo.previewUrl}
                    face={cropAround(photo.face.box, photo)}
                    alt={question.face}
                    className="aspect-square rounded-lg"
                  />
                  <PhotoThumb src={photo.thumbUrl} alt="" className="aspect-[4/3] rounded-lg">
                    <a
                      href={photo.url}
                      target="_blank"
                      rel="noopener"
                      className="absolute inset-0 rounded-lg -outline-offset-4"
                    >
                      <span className="sr-only">{question.open(photo.filename)}</span>
                    </a>
                  </PhotoThumb>
                </div>
                <div className="mt-3 grid grid-cols-[3fr_2fr] gap-3">
                  {ANSWERS.map(({ isMe, label, Icon }) => (
                    <Button
                      key={label}
                      look="secondary"
                      aria-describedby={`${id}-${photo.face.id}`}
                      onClick={({ detail }) => press(detail, place, () => onAnswer(photo, isMe))}
                    >
                      <Icon />
                      {label}
                    </Button>
                  ))}
                </div>
              </div>
            </li>
          ))}
        </ul>
      </section>
    </KeptInPlace>
  )
}

/** Stays where it is in the window when what is above it becomes higher or lower with the same change of state. Without
 *  it, what the visitor wants to press would move away. */
class KeptInPlace extends Component<{ children: ReactNode }> {
  private readonly box = createRef<HTMLDivElement>()

  private top(): number {
    return this.box.current!.getBoundingClientRect().top
  }

  override getSnapshotBeforeUpdate(): number {
    return this.top()
  }

  override componentDidUpdate(_props: unknown, _state: unknown, formerTop: number) {
    const moved = this.top() - formerTop
    if (moved !== 0 && formerTop < window.innerHeight) window.scrollBy({ top: moved, behavior: 'instant' })
  }

  override render() {
    return <div ref={this.box}>{this.props.children}</div>
  }
}

/** What an answer has led to.
 *  @param left how many questions are left
 *  @param added how many other photos it has found */
export function outcomeOf(isMe: boolean, left: number, added = 0): string {
  const end = left === 0 ? ` ${texts.last}` : ''
  if (!isMe) return texts.leftOut + end
  return (added > 0 ? texts.addedMore(added) : texts.added) + end
}

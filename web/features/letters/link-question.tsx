import { failureText } from '../../lib/failure.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'

/** What a link in a letter asks. */
export interface Question {
  title: string
  text: string
  /** Of the button. */
  label: string
  /** The same while its work is running. */
  busy: string
  /** The title when that has failed. */
  failed: string
}

export interface LinkQuestionProps {
  question: Question
  isBusy: boolean
  error: unknown
  onYes: () => void
}

/** Asks whether a link in a letter is meant. Programs that check the links of a letter open it, too, but press no button.
 *  It is the whole page. */
export function LinkQuestion({ question, isBusy, error, onYes }: LinkQuestionProps) {
  const { title, text, label, busy, failed } = question
  return (
    <Page width="form">
      <Card>
        <h1 className="text-title font-bold">{title}</h1>
        <p className="mt-3 text-lg text-ink-soft">{text}</p>
        {error !== null && (
          <Notice tone="error" className="mt-6" title={failed}>
            {failureText(error)}
          </Notice>
        )}
        <Button size="lg" className="mt-6 w-full" busy={isBusy} disabled={isBusy} onClick={onYes}>
          {isBusy ? busy : label}
        </Button>
      </Card>
    </Page>
  )
}

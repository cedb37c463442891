import { selfieWait as texts } from '../../../src/texts/english/search.ts'
import * as common from '../../../src/texts/english/words.ts'
import type { Waiting } from '../../lib/patience.ts'
import { Button } from '../../ui/button.tsx'
import { Countdown } from '../../ui/countdown.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Sentence } from '../../ui/sentence.tsx'

export interface SelfieWaitNoticeProps extends Waiting {
  onCancel: () => void
  className?: string
}

/** Says why a search waits, and when it starts. */
export function SelfieWaitNotice({ reason, seconds, onCancel, className }: SelfieWaitNoticeProps) {
  const why = reason === 'many_searches' ? texts.manySearches : texts.noSearch
  return (
    <Notice className={className}>
      <p>
        <Sentence of={texts.starts(why, <Countdown seconds={seconds} />)} />
      </p>
      <Button look="quiet" className="-mb-2 -ml-4" onClick={onCancel}>
        {common.cancel}
      </Button>
    </Notice>
  )
}

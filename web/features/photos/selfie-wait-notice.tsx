import { selfieWait as texts } from '../../../src/texts/english/search.ts'
import * as common from '../../../src/texts/english/words.ts'
import { Button } from '../../ui/button.tsx'
import { Countdown } from '../../ui/countdown.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import type { SelfieWait } from './use-selfie-patience.ts'

export interface SelfieWaitNoticeProps extends SelfieWait {
  onCancel: () => void
  className?: string
}

/** Says why a search waits, and when it starts. */
export function SelfieWaitNotice({ why, seconds, onCancel, className }: SelfieWaitNoticeProps) {
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

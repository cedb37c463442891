import { cutOffLink as texts } from '../../../src/texts/english/opt-outs.ts'
import { LinkOutcome } from './link-outcome.tsx'

/** The page of a link that has lost what is behind its `#`, as some programs that check links do to it. Nothing is asked of the
 *  service, so it counts as no guess. */
export function CutOffLink() {
  return (
    <LinkOutcome isGood={false} title={texts.title} takesFocus={false}>
      {texts.text}
    </LinkOutcome>
  )
}

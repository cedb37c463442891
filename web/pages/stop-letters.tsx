import { stopLetters as texts } from '../../src/texts/english/opt-outs.ts'
import { LinkPage, letterPage } from '../features/letters/link-page.tsx'
import { trpc } from '../trpc.ts'

export default letterPage(({ fragment, queryToken }) => (
  <LinkPage
    // Both can only end these letters.
    token={fragment || queryToken}
    call={trpc.letters.stop.useMutation()}
    texts={texts}
    outcome={({ hadEnded }) => ({
      title: hadEnded ? texts.hadStopped : texts.stopped,
      text: texts.stoppedText,
    })}
  />
))

import { setupLink as texts } from '../../../src/texts/english/mail-setup.ts'
import * as common from '../../../src/texts/english/words.ts'
import { failureOf, failureText } from '../../lib/failure.ts'
import { useFragment } from '../../lib/use-fragment.ts'
import { trpc } from '../../trpc.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'

/** Opens the set-up link that led to this page (`#setup=TOKEN`), which gives this browser's session the maintainer's
 *  rights, and says how that goes. Nothing for who came without one. */
export function SetupLinkNotice() {
  const { mutate: open, ...opening } = trpc.mailSetup.openSetupLink.useMutation()
  const token = useFragment('setup', (found) => open({ token: found }))

  if (token !== undefined || opening.isPending)
    return (
      <p role="status" className="mb-6 text-ink-soft">
        {texts.opening}
      </p>
    )
  if (opening.isSuccess)
    return (
      <Notice tone="success" className="mb-6" title={texts.done}>
        {texts.doneText}
      </Notice>
    )
  if (!opening.isError) return null
  return (
    <Notice tone="error" className="mb-6" title={texts.error(failureText(opening.error))}>
      {failureOf(opening.error)?.status !== 401 && (
        <Button look="secondary" className="mt-4" onClick={() => open(opening.variables)}>
          {common.tryAgain}
        </Button>
      )}
    </Notice>
  )
}

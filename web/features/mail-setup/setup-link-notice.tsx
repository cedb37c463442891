import { setupLink as texts } from '../../../src/texts/english/mail-setup.ts'
import { common } from '../../../src/texts/english/site.ts'
import { failureOf, failureText } from '../../lib/failure.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { SetupLink } from './use-setup-link.ts'

export function SetupLinkNotice({ link }: { link: SetupLink }) {
  if (link.state === 'none') return null
  if (link.state === 'opening')
    return (
      <p role="status" className="mb-6 text-ink-soft">
        {texts.opening}
      </p>
    )
  if (link.state === 'open')
    return (
      <Notice tone="success" className="mb-6" title={texts.done}>
        {texts.doneText}
      </Notice>
    )
  return (
    <Notice tone="error" className="mb-6" title={texts.error(failureText(link.error))}>
      {failureOf(link.error)?.status !== 401 && (
        <Button look="secondary" className="mt-4" onClick={link.retry}>
          {common.tryAgain}
        </Button>
      )}
    </Notice>
  )
}

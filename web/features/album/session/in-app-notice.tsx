import { copyLine, inAppNotice as texts } from '../../../../src/texts/english.ts'
import { buttonLook } from '../../../ui/button-look.ts'
import { CopyLine } from '../../../ui/copy-line.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { inAppBrowser, intentAddress } from './in-app-browser.ts'

export interface InAppNoticeProps {
  /** The page's whole address, without what is private. */
  address: string
  className?: string
}

/** Says how to open the page in the visitor's own browser. Apps such as Instagram show it in one of theirs, which often
 *  refuses passwords and downloads. */
export function InAppNotice({ address, className = '' }: InAppNoticeProps) {
  // A page that was added to the home screen is in no app.
  const isInstalled = matchMedia('(display-mode: standalone)').matches
  const inApp = isInstalled ? undefined : inAppBrowser(navigator.userAgent, Object.keys(window))
  if (!inApp) return null
  return (
    <Notice className={className} title={texts.title}>
      <p>
        {texts.explanation(inApp.app)} {inApp.isAndroid ? texts.onAndroid : texts.elsewhere}
      </p>
      {inApp.isAndroid && (
        <a href={intentAddress(address)} className={`${buttonLook('secondary')} mt-3 w-full`}>
          {texts.open}
        </a>
      )}
      <div className="-mb-1 [&>div]:bg-surface">
        <CopyLine name={copyLine.link} value={address} />
      </div>
    </Notice>
  )
}

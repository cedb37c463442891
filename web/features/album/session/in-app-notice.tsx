import { inAppNotice as texts } from '../../../../src/texts/english/album-gate.ts'
import { copyLine } from '../../../../src/texts/english/copy-line.ts'
import { buttonLook } from '../../../ui/button-look.ts'
import { CopyLine } from '../../../ui/copy-line.tsx'
import { Notice } from '../../../ui/notice.tsx'

/** Says how to open the page in the visitor's own browser. Apps such as Instagram show it in one of theirs, which often
 *  refuses passwords and downloads.
 *  @param address the page's, without what is private */
export function InAppNotice({ address }: { address: string }) {
  // A page that was added to the home screen is in no app.
  const isInstalled = matchMedia('(display-mode: standalone)').matches
  if (isInstalled || !isInApp(navigator.userAgent, Object.keys(window))) return null
  const isAndroid = /\bAndroid\b/.test(navigator.userAgent)
  return (
    <Notice title={texts.title}>
      <p>
        {texts.explanation} {isAndroid ? texts.onAndroid : texts.elsewhere}
      </p>
      {isAndroid && (
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

/** Words that the apps add to the name of their browser. */
const APPS =
  /\b(Instagram\b|FB(AN|AV|_IAB)\/|BytedanceWebview\b|musical_ly|trill_|TikTok\b|LinkedInApp\b|MicroMessenger\/|Snapchat\b|Pinterest\/|Line\/\d|Twitter for |TwitterAndroid\b|Telegram-Android\b)/

/** Whether another app shows the page in a browser of its own: Android says so, and on an iPhone only browsers call themselves Safari.
 *  @param globals the names of what the page's window has: Telegram on an iPhone calls itself Safari, but adds objects */
export function isInApp(userAgent: string, globals: readonly string[] = []): boolean {
  const isIphone = /\b(iPhone|iPad|iPod)\b.*\bMobile\//.test(userAgent)
  if (/; wv\)/.test(userAgent) || (isIphone && !/\bSafari\//.test(userAgent))) return true
  return APPS.test(userAgent) || globals.some((name) => name.startsWith('Telegram'))
}

/** An address that Android opens in the visitor's own browser:
 *  https://developer.chrome.com/docs/android/intents
 *  @param address an http or https address without a fragment, which is where an intent begins */
export function intentAddress(address: string): string {
  const { protocol, host, pathname, search } = new URL(address)
  return `intent://${host}${pathname}${search}#Intent;scheme=${protocol.slice(0, -1)};action=android.intent.action.VIEW;category=android.intent.category.BROWSABLE;end`
}

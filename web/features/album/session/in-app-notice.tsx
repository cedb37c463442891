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
  const inApp = isInstalled ? undefined : inAppBrowser(navigator.userAgent, Object.keys(window))
  if (!inApp) return null
  return (
    <Notice title={texts.title}>
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

/** Words that the apps add to the name of their browser. Messenger calls itself Facebook, too, so it comes first. */
const APPS: readonly (readonly [app: string, mark: RegExp])[] = [
  ['Instagram', /\bInstagram\b/],
  ['Messenger', /\bFBAN\/Messenger|\bFB_IAB\/Orca/],
  ['Facebook', /\bFB(AN|AV|_IAB)\//],
  ['TikTok', /\bBytedanceWebview\b|\bmusical_ly|\btrill_|\bTikTok\b/],
  ['LinkedIn', /\bLinkedInApp\b/],
  ['WeChat', /\bMicroMessenger\//],
  ['Snapchat', /\bSnapchat\b/],
  ['Pinterest', /\[Pinterest\/|\bPinterest\//],
  ['LINE', /\bLine\/\d/],
  ['X', /\bTwitter for |\bTwitterAndroid\b/],
  ['Telegram', /\bTelegram-Android\b/],
]

/** The browser that another app opens inside itself: Android says so, and on an iPhone only browsers call themselves Safari.
 *  @param globals the names of what the page's window has: Telegram on an iPhone calls itself Safari, but adds objects
 *  @returns undefined in a browser of its own; `app` is what people call the app, when more than its kind is known */
export function inAppBrowser(userAgent: string, globals: readonly string[] = []) {
  const hasTelegram = globals.some((name) => name.startsWith('Telegram'))
  const app = hasTelegram ? 'Telegram' : APPS.find(([, mark]) => mark.test(userAgent))?.[0]
  const isIphone = /\b(iPhone|iPad|iPod)\b.*\bMobile\//.test(userAgent)
  const isShownByApp = /; wv\)/.test(userAgent) || (isIphone && !/\bSafari\//.test(userAgent))
  if (!app && !isShownByApp) return undefined
  return { app, isAndroid: /\bAndroid\b/.test(userAgent) }
}

/** An address that Android opens in the visitor's own browser:
 *  https://developer.chrome.com/docs/android/intents
 *  @param address an http or https address without a fragment, which is where an intent begins */
export function intentAddress(address: string): string {
  const { protocol, host, pathname, search } = new URL(address)
  return `intent://${host}${pathname}${search}#Intent;scheme=${protocol.slice(0, -1)};action=android.intent.action.VIEW;category=android.intent.category.BROWSABLE;end`
}

import { expect, test } from 'vitest'
import { intentAddress, isInApp } from './in-app-notice.tsx'

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'
const ANDROID =
  'Mozilla/5.0 (Linux; Android 15; Pixel 8; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0'
const CHROME = 'Chrome/140.0.0.0 Mobile Safari/537.36'

test.each([
  ['Instagram', `${IPHONE} Mobile/15E148 Instagram 390.0.0.28.85 (iPhone15,2; iOS 18_5; en_GB)`],
  ['Instagram', `${ANDROID} ${CHROME} Instagram 390.0.0.43.81 Android (35/15; 420dpi)`],
  ['Facebook', `${IPHONE} Mobile/15E148 [FBAN/FBIOS;FBAV/520.0.0.38.101;FBBV/1]`],
  ['Facebook', `${ANDROID} ${CHROME} [FB_IAB/FB4A;FBAV/520.0.0.51.90;]`],
  ['Messenger', `${IPHONE} Mobile/15E148 [FBAN/MessengerForiOS;FBAV/510.0.0.30.108]`],
  ['Messenger', `${ANDROID} ${CHROME} [FB_IAB/Orca-Android;FBAV/510.0.0.44.80;]`],
  ['TikTok', `${IPHONE} Mobile/15E148 musical_ly_40.6.0 JsSdk/2.0 NetType/WIFI`],
  ['TikTok', `${ANDROID} ${CHROME} trill_400604 BytedanceWebview/d8a21c6`],
  ['LinkedIn', `${IPHONE} Mobile/15E148 [LinkedInApp]/9.31.6`],
  ['WeChat', `${ANDROID} ${CHROME} MMWEBID/1 MicroMessenger/8.0.60.2860(0x28003C51) WeChat/arm64`],
  ['Snapchat', `${IPHONE} Mobile/15E148 Snapchat/13.48.0.39 (like Safari/8620.2.4)`],
  ['Pinterest', `${IPHONE} Mobile/15E148 [Pinterest/iOS]`],
  ['LINE', `${ANDROID} ${CHROME} Line/15.12.0/IAB`],
  ['X', `${IPHONE} Mobile/15E148 Twitter for iPhone/11.10`],
  ['Telegram', `${ANDROID} ${CHROME} Telegram-Android/11.14.1 (Google Pixel 8; Android 15; SDK 35)`],
  ['some app', `${ANDROID} ${CHROME}`],
  ['some app', `${IPHONE} Mobile/15E148`],
])('a page is inside %s: %s', (_app, userAgent) => {
  expect(isInApp(userAgent)).toBe(true)
})

test.each([
  `${IPHONE} Version/18.5 Mobile/15E148 Safari/604.1`,
  `${IPHONE} CriOS/140.0.7339.39 Mobile/15E148 Safari/604.1`,
  `Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) ${CHROME}`,
  'Mozilla/5.0 (Android 15; Mobile; rv:142.0) Gecko/142.0 Firefox/142.0',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
])('an ordinary browser is not an in-app browser: %s', (userAgent) => {
  expect(isInApp(userAgent)).toBe(false)
})

test('Telegram on an iPhone is known by what it adds to the page', () => {
  const safari = `${IPHONE} Version/18.5 Mobile/15E148 Safari/604.1`
  expect(isInApp(safari, ['name', 'TelegramWebviewProxy'])).toBe(true)
})

test("Android opens an address in the visitor's own browser", () => {
  expect(intentAddress('https://photos.example:8443/album/garden-party?by=mail')).toBe(
    'intent://photos.example:8443/album/garden-party?by=mail#Intent;scheme=https;action=android.intent.action.VIEW;category=android.intent.category.BROWSABLE;end',
  )
})

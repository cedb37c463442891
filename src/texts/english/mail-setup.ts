/** Texts of the two pages that set up a Gmail account. */
import { sentence } from '../sentence.ts'

export const gmailOauth = {
  title: 'Gmail OAuth Setup',
  subtitle: 'For the people who run Inframe: send its letters from a Gmail account.',
  gotCode: 'Google has sent the code',
  pressExchange: 'Press Exchange Code for Tokens to finish.',
  error: (message: string) => `Error: ${message}`,
  notPermitted:
    'Google did not give the permission. Generate a new OAuth URL and allow everything that Google asks for.',
  generateStep: 'Generate the OAuth URL, and allow Inframe to send mail from the account you choose.',
  returnStep: 'Google sends you back here with the authorization code. You can also paste the code below.',
  exchangeStep:
    'Exchange the code, and check the console for the refresh token. You do not have to copy it: Inframe stores it encrypted.',
}

export const oauthHelper = {
  notGenerated: 'Failed to generate auth URL',
  title: 'Gmail OAuth Setup',
  subtitle: 'For the people who run Inframe: send its letters from a Gmail account.',
  generate: 'Generate Auth URL',
  error: 'Error generating auth URL',
  authorize: 'Authorize Gmail Access',
  nextTab:
    'It opens in a new tab and is valid for 15 minutes. Google then sends you to the page where you finish.',
}

export const exchangeCode = {
  success: 'Success!',
  received: 'Refresh token received.',
  notReceived: 'No refresh token received',
  checkConsole: 'Check console for tokens.',
  failed: 'Failed to exchange authorization code',
  missing: 'Please enter the authorization code',
  code: 'Authorization Code',
  codeHint: 'The code, or the whole address that Google sent you to.',
  exchange: 'Exchange Code for Tokens',
  done: 'Letters now go through this Gmail account',
  doneText:
    'The refresh token is stored encrypted. It was also written once to the console that Inframe runs in. Nothing else is left to do.',
  noToken: 'Google gave no refresh token',
  noTokenText: 'Nothing has changed. Generate a new OAuth URL and try again.',
}

export const generateUrl = {
  failed: 'Failed to generate auth URL',
  generate: 'Generate OAuth URL',
  generated: 'OAuth URL Generated',
  error: 'Error generating auth URL',
  noNewTab: <P>(link: (text: string) => P) =>
    sentence`No new tab? ${link('Open the address')}. It is valid for 15 minutes.`,
}

export const redirectAddresses = {
  title: 'Redirect addresses to register',
  text: "Add them to the OAuth client in Google's console, exactly as they are here:",
}

export const setupLink = {
  opening: 'Opening the set-up link...',
  done: 'This browser can now set up Gmail',
  doneText: 'It can do so for a day. The link does not work again in another browser.',
  error: (message: string) => `Error: ${message}`,
}

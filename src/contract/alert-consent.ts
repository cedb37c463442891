/** What a guest who wants a letter about more photos agrees to. A changed sentence needs the next version. */
export const ALERT_CONSENT = {
  version: 1,
  text: 'I agree that my address and an encrypted description of my face are kept for at most 30 days, to write to me when there are new photos of me in this album.',
}
export const ALERT_CONSENT_NEEDED =
  'Please tick that you agree. Without it nothing is kept, and no letters are sent.'

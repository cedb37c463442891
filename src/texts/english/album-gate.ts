/** The page that asks for an album's password, and the one that says why there is no album to see. */

export const notOpen = {
  notFoundReason: 'Album not found',
  notFound: 'Album Not Found',
  browseAlbums: 'Browse Photo Albums',
  notFoundText: 'This album does not exist or has not been processed yet.',
  notOpened: 'The album could not be opened',
  opensOn: (time: string) => `This album opens on ${time}`,
  opensOnText: 'This page then opens by itself. You need not enter the password again.',
  closed: 'The organiser has closed this album',
  closedText: 'Nobody but the organiser sees its photos now.',
}

export const passwordGate = {
  organisers:
    'Are you the organiser? Copy the whole private link from your letter, also what stands behind the #.',
  hasEnded:
    'Your access to this album has ended. The organiser may have changed the password, or you have logged out in another tab.',
  missing: 'Missing information',
  missingText: 'Please enter the album password',
  granted: 'Access granted!',
  welcome: (albumName: string) => `Welcome to ${albumName}`,
  title: 'Access Album',
  again: 'Please enter the password again',
  notOrganiser: 'You are no longer the organiser here',
  notOrganiserText:
    'This album has a new owner key. With the new private link you are its organiser again. With the password you enter as a guest.',
  codeEnded: 'This code has been ended',
  codeEndedText: 'Please ask the organiser for the password, or scan a newer code.',
  label: 'Album password',
  hint: 'No password? Please contact the album owner.',
  enter: 'Access Album',
  failed: 'Failed to authenticate. Please try again.',
  denied: 'Access denied',
  invalid: 'Invalid password',
}

export const passwordField = {
  hidePassword: 'Hide password',
  showPassword: 'Show password',
  hide: 'Hide',
  show: 'Show',
}

export const inAppNotice = {
  explanation: 'This app opens it in its own browser. Passwords and downloads often fail there.',
  onAndroid: 'Tap the button, or copy the link.',
  elsewhere: 'Tap ••• and then “Open in browser”, or copy the link.',
  title: 'Open this page in your browser',
  open: 'Open in browser',
}

/** Texts of the desk's page for sharing, and of what it prints. */

export const changePassword = {
  title: 'Change the password',
  text: 'When somebody has it who should not.',
  change: 'Change the password',
  question: 'Change the password?',
  ends: 'The new one ends at once:',
  ended: [
    'what guests see now: they have to enter the new password',
    'that browsers remember people',
    'links to photos and downloads',
    'posters and cards with the former password',
    'scan-and-go links and codes',
  ],
  changing: 'Changing...',
  keep: 'Keep the password',
  failed: 'The password could not be changed',
  changed: 'The album has a new password',
  newPassword: 'new password',
}

export const scanAndGo = {
  title: 'Scan and go',
  label: 'Guests who scan a code are in at once',
  text: 'The code holds the password. Everybody who has this code or a photo of it is in. Changing the password ends it.',
  codeText: 'Guests scan it, or open the link, and are in.',
  link: 'scan-and-go link',
  notSaved: 'The setting could not be changed',
}

export const printed = {
  title: 'Posters and table cards',
  text: 'Print them, or save them as a PDF.',
  paper: 'What to print',
  papers: {
    poster: 'Poster, A4',
    cards: 'Four table cards, A4 to cut',
    card: 'One table card, A6',
  },
  print: 'Print',
  find: 'Find your photos',
  steps: ['Scan', 'Enter the password', 'Take a selfie'],
  stepsAtOnce: ['Scan', 'Take a selfie', 'See your photos'],
  findChild: 'Find photos of your child',
  stepsOfParents: ['Scan', 'Enter the password', 'Take a photo of your child'],
  stepsOfParentsAtOnce: ['Scan', 'Take a photo of your child', 'See the photos'],
  password: 'Password',
  faces:
    'Faces are recognised in this album. To be taken out, search with a selfie and choose “Take me out of this album”.',
}

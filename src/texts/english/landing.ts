/** Texts of the landing page. */

export const landing = {
  lead: 'Facial recognition, without the friction',
  title: 'Let facial recognition do your photo tagging.',
  subtitle:
    'Upload your event photos and get a shareable link. Attendees drop a selfie to find every photo they are in.',
  getStarted: 'Get Started',
  picture: 'Party photos. The guest whose selfie is on the phone is marked in four of them.',
  howItWorks: 'How It Works',
  steps: '- 4 simple steps',
  upload: 'Upload Event Photos',
  uploadText: 'Bulk upload your photos, thousands at a time, to create an album.',
  faces: 'AI Recognition Magic',
  facesText: 'Every photo is scanned, and a searchable face index is built automatically.',
  share: 'Share Your Album',
  shareText: 'You get a unique, password-protected link for everyone who was there.',
  find: 'Find Your Moments',
  findText: 'Anyone uploads a selfie at the private link and sees all photos featuring them.',
  promises: 'What you can rely on',
  selfies: 'Selfies are not kept',
  selfiesText: 'Each one is deleted after processing, within 5 minutes at the latest.',
  guests: 'Only for your guests',
  guestsText: 'Nobody opens an album without its link and its password.',
  metadata: 'Nothing given away',
  metadataText:
    'The photos that guests receive carry no location and no camera, only the time they were taken.',
  createAlbum: 'Create your album',
}

/** On the landing page and above the form for a new album. */
export const yourAlbums = {
  title: 'Your albums',
  continueWith: (albumName: string) => `Continue with ${albumName}`,
  logOutOf: (albumName: string) => `Log out of ${albumName}`,
  all: 'All your albums',
}

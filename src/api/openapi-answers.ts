/** What answers hold: the words for each field, and values to show. */

/** What the fields of answers mean. One name means the same in every answer. */
export const ANSWER_FIELDS: Record<string, string> = {
  id: "The album's public id. It gives no right to the album.",
  'userAlbum.id': 'The owner key: whoever holds it is the owner. It is told once, here.',
  albumName: 'The url-safe name: the album is shown at /album/{albumName}.',
  displayName: 'The name as the organiser wrote it.',
  createdAt: 'When it was created, in UTC.',
  albumPassword: 'What guests enter.',
  isOwner: 'Whether this session created the album.',
  albumExists: 'False also means that nothing has been created under this name yet.',
  isAuthenticated: 'Whether this session may see the album.',
  userAlbum: 'The new album, as its owner knows it.',
  album: 'The album.',

  totalPhotos: 'As many as are intended, and never fewer than are stored.',
  photosUploadedToS3: 'Stored so far, wherever photos are stored.',
  photosIndexedToRekognition: 'Done with so far, whichever engine it is: searchable, or given up.',
  isUploadingToS3: 'Whether more photos are expected.',
  isIndexingToRekognition: 'Whether stored photos still wait for the face engine.',
  isCompleted: 'Whether the album is ready. It stays so while photos are added later.',

  successful: 'How many files were kept, or had been before.',
  failed: 'How many were refused.',
  files: 'What became of each, in the order they were sent.',
  filename: 'As the client named it, without folders.',
  status: 'Kept now, kept before (the same bytes), or refused.',
  'files.message': 'Why it was refused.',

  rowsRemaining: 'In the database.',
  filesRemaining: 'In the storage.',
  facesRemaining: 'In the face index.',

  photosStored: 'Photos in the album.',
  photosSearchable: 'Those in which faces were looked for.',
  facesFound: 'Faces in all photos together.',
  skippedFiles: 'Files that were refused, and photos that were given up.',
  photosWithoutFace: 'Photos that no selfie can find.',
  photosPartlySearchable: 'Photos that selfies find, but not for all the people in them.',
  reason: 'Why, in words for the owner.',

  matchedPhotos: 'The addresses alone, best match first.',
  photos: 'Best match first.',
  url: 'Full size, upright, without metadata, to be shown. Addresses expire after an hour, and when the password changes.',
  thumbUrl: 'WEBP of at most 640 pixels.',
  downloadUrl: 'Full size, as an attachment of this filename.',
  similarity: "0–100, of the photo's best matching face.",

  redirectTo: 'The page to show next: /selfie/results/{id} or /selfie/no-results.',
  processed: 'False: ask again in two seconds.',
  totalMatches: 'How many photos were found.',
  deleted: 'It is gone.',

  authUrl: 'Where to allow it.',
  redirectUris: "The addresses to register with the OAuth client in Google's console.",
  hasRefreshToken: 'False: Google gave none, and nothing has changed.',
}

export const OWNER_KEY = 'Fb3xampleOwnerKeyDoNotShareIt0zQ'
export const PASSWORD = 'k7wd-3mzt-x9rb'
export const SUBMISSION_ID = '7d0c9a52-4f6e-4b7a-9c1d-2e8f5a6b3c4d'

export const album = {
  id: '3f1b2c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d',
  albumName: 'my-summer-wedding-2025',
  displayName: 'My Summer Wedding, 2025',
  createdAt: '2025-08-19T16:30:00.000Z',
}

export const progress = {
  totalPhotos: 6,
  photosUploadedToS3: 6,
  photosIndexedToRekognition: 4,
  isUploadingToS3: true,
  isIndexingToRekognition: true,
  isCompleted: false,
}

const NO_PHOTO = 'Only JPEG and PNG files are supported (facial recognition service requirement)'

export const upload = {
  successful: 2,
  failed: 1,
  files: [
    { filename: 'IMG_0001.jpg', status: 'stored' },
    { filename: 'IMG_0002.jpg', status: 'duplicate' },
    { filename: 'notes.jpg', status: 'refused', message: NO_PHOTO },
  ],
}

export const coverage = {
  photosStored: 6,
  photosSearchable: 6,
  facesFound: 22,
  skippedFiles: [{ filename: 'notes.jpg', reason: NO_PHOTO }],
  photosWithoutFace: [{ filename: 'cake.jpg', reason: 'No face was found in this photo' }],
  photosPartlySearchable: [
    { filename: 'hall.jpg', reason: '2 faces cannot be searched for: too small, too blurred' },
  ],
}

const link = (size: string, signature: string) =>
  `https://inframe.example/photos/9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d/${size}?e=1755625500&v=1&s=${signature}`

export const photo = {
  url: link('full', 'q2Zb7yWnT0mQ4xJd8rVkLw'),
  thumbUrl: link('thumb', 'Xc5uH1oPzE9aGf6sNiYt3A'),
  downloadUrl: link('download', 'mB8vK2jRdC7eLq4wUgSx0Q'),
  filename: 'IMG_0001.jpg',
}

export const authUrl = {
  authUrl:
    'https://accounts.google.com/o/oauth2/v2/auth?response_type=code&access_type=offline&scope=…&state=…&code_challenge=…',
  redirectUris: ['https://inframe.example/gmail-oauth'],
}

/** Texts of the pages that are shown in the place of another one. */
export const notFound = {
  title: '404 Page Not Found',
  findPhotos: 'Find your photos',
  text: "The page you're looking for doesn't exist.",
}

export const photoTrouble = {
  title: 'This photo cannot be shown',
  browse: 'Browse Photo Albums',
  available: 'The photo is available again. Please try again.',
}

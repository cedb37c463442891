/** Texts of controls and of small pages. */
export const toasts = {
  label: 'Notification',
  dismiss: 'Dismiss',
}

export const copyLine = {
  copy: (name: string) => `Copy ${name}`,
  copied: (name: string) => `Copied the ${name}`,
  notCopied: (name: string) => `Could not copy the ${name}`,
  selected: 'It is selected: please copy it by hand.',
  link: 'link',
}

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

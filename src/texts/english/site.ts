/** Texts of the frame around every page, and short ones that many pages use. */

export const common = {
  tryAgain: 'Try again',
  cancel: 'Cancel',
  success: 'Success',
  backToHome: 'Back to Home',
  startNewSearch: 'Start New Search',
  loading: 'Loading...',
  showMore: 'Show more',
  error: 'Error',
  close: 'Close',
  readingFiles: 'Reading the files...',
  done: 'Done',
  download: 'Download',
  share: 'Share',
}

export const siteFrame = {
  skip: 'Skip to content',
  mainNavigation: 'Main',
  home: 'Home',
  howItWorks: 'How it works',
  motto: 'Inframe: event photos that find their people.',
  footNavigation: 'Footer',
  albums: 'Albums',
  privacy: 'Privacy',
  terms: 'Terms',
}

export const pageTrouble = {
  offline: 'You are offline',
  offlineAdvice: 'Please try again when you are connected.',
  broken: 'This page could not be shown',
  brokenAdvice: 'Something went wrong on our side. Trying again may help.',
}

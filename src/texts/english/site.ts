/** Texts of the frame around every page. */

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

/** Texts of several pages. */
import { digits } from '../numbers.ts'
import { minutes, plural } from './counts.ts'

/** What search engines and messaging apps show of a page. */
export const pageHeads = {
  description:
    'Upload your event photos, share one link, and let every guest find the photos they are in with a selfie.',
  invitation: (albumName: string) => `Find yourself in ${albumName}`,
  invitationText: "Open the album with its password, drop a selfie, and see every photo you're in.",
  picture: 'Drawn party photos in which one guest is found.',
}

export const units = {
  seconds: (count: number) => `${digits(count)} ${plural(count, { one: 'second', other: 'seconds' })}`,
  minutes,
  bytes: (count: number) => `${count} Bytes`,
  kilobytes: (count: string) => `${count} KB`,
  megabytes: (count: string) => `${count} MB`,
  perSecond: (amount: string) => `${amount}/s`,
}

export const failures = {
  noAnswer: 'The service could not be reached. Please check your internet connection.',
  connectionLost: 'The connection was lost',
  noAnswerWithin: (seconds: number) => `No answer within ${digits(seconds)} seconds`,
  unreadable: 'The answer could not be read',
  partNotLoaded: 'A part of this page did not load',
  unknown: 'Something went wrong. Please try again.',
}

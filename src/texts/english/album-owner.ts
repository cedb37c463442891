/** What only the owner of an album sees. */
import { digits } from '../numbers.ts'
import { sentence } from '../sentence.ts'

export const ownerLetters = {
  title: 'Letters about this album',
  goTo: <P>(address: P) => sentence`They go to ${address}.`,
  wait: <P>(address: P, hours: number) =>
    sentence`We have sent a letter to ${address}. Press its button within ${digits(hours)} hours. Until then nothing changes.`,
  change: 'Change the address',
  changeAgain: 'Enter another address',
  email: 'New email address',
  hint: 'Before the first letter about this album the address changes at once. Later a letter asks you to confirm the new one. A present address that was confirmed then gets a notice.',
  save: 'Save the address',
  saving: 'Saving...',
  notSaved: 'The address could not be changed',
  notLoaded: 'The address could not be loaded',
}

/** Above an upload. */
export const lettersTo = {
  goTo: <P>(address: P) => sentence`The link and the password go to ${address}.`,
}

export const ownerName = {
  title: 'Name of this album',
  rename: 'Rename',
  name: 'New name',
  hint: 'Pages and letters show it from now on. The link of the album stays the same.',
  save: 'Save the name',
  saving: 'Saving...',
  notSaved: 'The name could not be changed',
}

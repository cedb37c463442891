/** Texts of the desk's page about guests. */
import { digits } from '../../numbers.ts'
import { plural } from '../counts.ts'

export const deskGuests = {
  title: 'Guests',
  text: 'How many came, and found themselves',
  notLoaded: 'The numbers could not be loaded',
  nobody: 'Nobody has entered yet',
  nobodyText: 'The numbers begin when the first guest enters the password. Your own visits are not counted.',
  share: (percent: string) => `${percent} of those who searched found at least one photo`,
  entered: 'Entered',
  searched: 'Searched',
  found: 'Found photos',
  takenHome: 'Photos downloaded',
  letters: 'Letters about new photos',
  noResult: (count: number) =>
    `${digits(count)} ${plural(count, { one: 'search', other: 'searches' })} without a result`,
  noFace: 'The selfie showed no clear face',
  nothing: 'No photo surely shows the person',
  byHour: 'Guests by hour',
  byDay: 'Guests by day',
  hour: 'Hour',
  day: 'Day',
  chart: (shown: number) =>
    `A chart of the guests who entered, and who found photos, in ${digits(shown)} ${plural(shown, { one: 'period', other: 'periods' })}. The table has the same numbers.`,
  table: 'Show as a table',
  privacy:
    'Each browser counts once. Only these numbers are kept, and nothing about a guest. They are erased with the album.',
}

import { z } from 'zod'

/** A place in a list, as the service has named it.
 *  @param form one of those in uuid.ts */
export const cursorOf = (form: RegExp) => z.string().regex(form, 'This is not a cursor of the list')

/** How many photos are on a page. */
export function pageSize(most: number) {
  const message = `A page has 1 to ${most} photos`
  // Over REST it arrives as text.
  return z.coerce.number(message).int(message).min(1, message).max(most, message)
}

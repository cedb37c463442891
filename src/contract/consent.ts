import { z } from 'zod'
import { CONSENT, PARENTS_CONSENT } from './wording.ts'

const VERSION = 'consentVersion must be a whole number from 1 to 1000'

/** The version of a consent. During an update, a page may know a later one than this process.
 *  @param number how a number arrives: z.coerce.number in a form */
export const consentVersion = <Field extends z._ZodNumber>(number: (message: string) => Field) =>
  number(VERSION).int(VERSION).min(1, VERSION).max(1000, VERSION).optional()

/** The fields of a form with a selfie that say what its person has agreed to. */
export const consentFields = z.object({
  consent: z.enum(['true', 'false'], 'consent must be true or false').optional().meta({
    description:
      '`true`: the person has ticked that they agree, or has agreed to the same search before the album asked for the tick. Albums with the setting `consentTick` refuse a search without it.',
    example: 'true',
  }),
  consentVersion: consentVersion(z.coerce.number).meta({
    description: `The version of the consent that the person has read. Without it: ${CONSENT.version}, which is "${CONSENT.text}" In an album for children: ${PARENTS_CONSENT.version}, which is "${PARENTS_CONSENT.tick}"`,
    example: CONSENT.version,
  }),
})
export type GivenConsent = z.output<typeof consentFields>

import type { z } from 'zod'
import type { AppError } from '../errors.ts'
import { invalidInput } from './known-failure.ts'

/** Who may make a call. `callers.ts` says what each means. */
export type Caller = 'anyone' | 'visitor' | 'guest' | 'guestOrOwner' | 'owner' | 'submitter' | 'maintainer'

/** What the OpenAPI document says about a call besides its texts and schemas. */
export interface CallDocs {
  caller: Caller
  /** The errors of this call alone. The document adds those of its callers and those of all calls of its kind. */
  errors?: AppError[]
}

/** A text longer than any album's name or id. */
export const TOO_LONG = 'x'.repeat(501)

/** The error that answers this input.
 *  @throws Error when the schema accepts the input */
export function invalidExample(schema: z.ZodType, input: object): AppError {
  const { error } = schema.safeParse(input)
  if (!error) throw new Error('An example of an invalid input is valid')
  return invalidInput(error)
}

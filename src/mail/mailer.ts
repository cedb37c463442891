export interface Letter {
  /** The same whenever this letter is sent again, so that the second copy replaces or repeats the first one. Only
   *  letters, digits and dashes. */
  id: string
  to: string
  subject: string
  text: string
  html: string
}

/** The mailer port. `send` resolves when the letter has been handed over.
 *  @throws AppError SERVICE_UNAVAILABLE for faults that may pass or that a maintainer can correct,
 *  UNPROCESSABLE_CONTENT when the recipient is refused permanently. No error contains the recipient's address. */
export interface Mailer {
  send(letter: Letter): Promise<void>
  /** Checks whether letters can currently be sent; throws the same errors as `send`. */
  check(): Promise<void>
  close(): Promise<void>
}

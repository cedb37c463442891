export interface Letter {
  /** The same whenever this letter is sent again, so that the second copy replaces or repeats the first one. Only
   *  letters, digits and dashes. */
  id: string
  to: string
  subject: string
  text: string
  html: string
  /** The address at which its recipient ends such letters, with a POST and nothing else. Mail programs offer it beside
   *  the sender. */
  stopUrl?: string
}

/** What every mailer implements. `send` resolves when the mail server or the outbox has accepted the letter.
 *  @throws AppError SERVICE_UNAVAILABLE for faults that may pass or that a maintainer can correct,
 *  UNPROCESSABLE_CONTENT when the recipient is refused permanently, FORBIDDEN when it may be. No error contains the recipient's address. */
export interface Mailer {
  send(letter: Letter): Promise<void>
  /** Checks whether letters can currently be sent; throws the same errors as `send`. */
  check(): Promise<void>
  close(): Promise<void>
}

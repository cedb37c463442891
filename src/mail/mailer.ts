export interface Letter {
  /** Stable for one letter: sending it again replaces or repeats the same one. Letters, digits and dashes. */
  id: string
  to: string
  subject: string
  text: string
  html: string
}

/** The mailer port. Resolves when the letter is handed over for good; faults that may pass are AppError
 *  SERVICE_UNAVAILABLE, anything else is final. */
export interface Mailer {
  send(letter: Letter): Promise<void>
  close(): Promise<void>
}

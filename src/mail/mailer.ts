export interface Letter {
  /** Stable for one letter: sending it again replaces or repeats the same one. Letters, digits and dashes. */
  id: string
  to: string
  subject: string
  text: string
  html: string
}

/** The mailer port. Resolves when the letter is handed over for good. Faults that may pass, or that a maintainer
 *  can mend, are AppError SERVICE_UNAVAILABLE; a recipient who is refused for good is UNPROCESSABLE_CONTENT. No
 *  fault repeats the recipient's address. */
export interface Mailer {
  send(letter: Letter): Promise<void>
  /** Whether letters could leave just now; throws as `send` does. */
  check(): Promise<void>
  close(): Promise<void>
}

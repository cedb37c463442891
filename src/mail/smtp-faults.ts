import { AppError } from '../errors.ts'

/** An error of nodemailer. */
interface SmtpError extends Error {
  code: string
  /** The server's answer, with all its lines. */
  response?: string
  responseCode?: number
  /** The command that it answers: `RCPT TO`, `DATA`, `CONN` … */
  command?: string
}

/** The error to throw for a failed delivery. It keeps only the codes of the server's answer, since servers repeat
 *  addresses in their answers.
 *  @param refusedLogin makes the error for a login that the server does not accept. */
export function deliveryFailure(error: unknown, refusedLogin: (cause: Error) => AppError): unknown {
  if (!isSmtpError(error)) return error
  const cause = Object.assign(new Error(describe(error)), { code: error.code })
  if (refusesGreeting(error))
    return new AppError(
      'SERVICE_UNAVAILABLE',
      'The mail server refuses the name with which this machine greets it. Letters wait until PUBLIC_URL, or ?name= at the end of SMTP_URL, is a name that the server accepts.',
      { cause },
    )
  if (refusesRecipient(error))
    return new AppError('UNPROCESSABLE_CONTENT', 'The mail server refuses the recipient permanently', {
      cause,
    })
  if (mayRefuseRecipient(error))
    return new AppError('FORBIDDEN', 'The mail server refuses the letter without saying why', { cause })
  if (refusesLogin(error)) return refusedLogin(cause)
  return new AppError('SERVICE_UNAVAILABLE', 'The mail server is currently not accepting the letter', {
    cause,
  })
}

function isSmtpError(error: unknown): error is SmtpError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
}

/** Some servers say it only in their answer to a later command. */
function refusesGreeting({ command, response = '' }: SmtpError): boolean {
  return command === 'EHLO' || command === 'HELO' || /\b(HELO|EHLO)\b/i.test(response)
}

/** Whether the recipient's address or mailbox is at fault. Faults of the sender, of relaying, of the contents or of
 *  a daily limit pass or can be corrected, even when they are a 5xx: the letter waits. */
function refusesRecipient({ command, response = '' }: SmtpError): boolean {
  if (command !== 'RCPT TO' && command !== 'DATA') return false
  const status = enhancedStatus(response)
  // RFC 3463: x.1.y is the recipient's address, except 7 and 8, which are the sender's (§3.2); x.2.y is the mailbox
  // (§3.3).
  return status !== undefined && /^5\.(1\.(?![78]$)|2\.)/.test(status)
}

/** RFC 5321, §4.3.2: these answers to RCPT are about the mailbox. But some servers answer the same when a sender is over a
 *  daily limit, and only an enhanced status tells them apart. */
function mayRefuseRecipient({ command, response = '', responseCode = 0 }: SmtpError): boolean {
  return command === 'RCPT TO' && !enhancedStatus(response) && responseCode >= 550 && responseCode <= 553
}

function refusesLogin({ code, responseCode = 0 }: SmtpError): boolean {
  return code === 'EAUTH' && !(responseCode >= 400 && responseCode < 500)
}

function describe({ code, command, message, response, responseCode }: SmtpError): string {
  if (response) return `${command} was answered ${responseCode} ${enhancedStatus(response) ?? ''}`.trim()
  // The message of an EENVELOPE contains the address.
  return code === 'EENVELOPE' ? 'The sender or the recipient is not a mail address' : message
}

/** The enhanced status code of an answer, as in `550 5.1.1 …` (RFC 3463). */
function enhancedStatus(response: string): string | undefined {
  return /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1]
}

import { AppError } from '../errors.ts'

/** What nodemailer throws. */
interface SmtpError extends Error {
  code: string
  /** The server's answer, all lines of it. */
  response?: string
  responseCode?: number
  /** What was being answered: `RCPT TO`, `DATA`, `CONN` … */
  command?: string
}

/** What a failed delivery means. Servers repeat addresses in their answers, so only codes of them are kept.
 *  @param refusedLogin what to throw when the server does not accept the login. */
export function deliveryFailure(error: unknown, refusedLogin: (cause: Error) => AppError): unknown {
  if (!isSmtpError(error)) return error
  const cause = Object.assign(new Error(describe(error)), { code: error.code })
  if (refusesRecipient(error))
    return new AppError('UNPROCESSABLE_CONTENT', 'The mail server refuses the recipient for good', { cause })
  if (refusesLogin(error)) return refusedLogin(cause)
  return new AppError('SERVICE_UNAVAILABLE', 'The mail server does not take the letter just now', { cause })
}

function isSmtpError(error: unknown): error is SmtpError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
}

/** Whether the fault is the address or its mailbox. What speaks of the sender, of relaying, of the contents or of
 *  a day's limit can be mended or passes, even as a 5xx, and the letter waits. */
function refusesRecipient({ command, response = '', responseCode = 0 }: SmtpError): boolean {
  if (command !== 'RCPT TO' && command !== 'DATA') return false
  const status = enhancedStatus(response)
  // RFC 3463: x.1.y is the address, save for 7 and 8, which are the sender's (§3.2), and x.2.y the mailbox (§3.3).
  if (status) return /^5\.(1\.(?![78]$)|2\.)/.test(status)
  // RFC 5321, §4.3.2: the answers to RCPT that speak of the mailbox.
  return command === 'RCPT TO' && responseCode >= 550 && responseCode <= 553
}

function refusesLogin({ code, responseCode = 0 }: SmtpError): boolean {
  return code === 'EAUTH' && !(responseCode >= 400 && responseCode < 500)
}

function describe({ code, command, message, response, responseCode }: SmtpError): string {
  if (response) return `${command} was answered ${responseCode} ${enhancedStatus(response) ?? ''}`.trim()
  // Of these the message names the address.
  return code === 'EENVELOPE' ? 'The sender or the recipient is no mail address' : message
}

/** As in `550 5.1.1 …` (RFC 3463). */
function enhancedStatus(response: string): string | undefined {
  return /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1]
}

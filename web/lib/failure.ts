import type { Reason } from '../../src/contract/reasons.ts'
import { failures } from '../../src/texts/english/common.ts'
/** Calls that failed, over tRPC or as a form, and what visitors read about them (§8). */

/** What visitors read about a call that got no answer. */
export const NO_ANSWER = failures.noAnswer
/** Characters shown of an answer that was not written for visitors. */
const FOREIGN_TEXT_MAX = 300

/** The body of a failed call. It has a code when the service has written it. */
interface Body {
  code: string
  error?: string
  message?: string
  reason?: Reason
  /** What is wrong with the input: where, and what. */
  issues?: { path: (string | number)[]; message: string }[]
}

/** A call that did not succeed. `message` is for the visitor. */
export class RequestFailure extends Error {
  override readonly name = 'RequestFailure'
  /** The HTTP status of the service's answer; 0 when the service did not answer. */
  readonly status: number
  /** The HTTP status of an answer in the service's place, such as a proxy's; 0 without one. */
  readonly foreignStatus: number = 0
  /** Empty over HTTP/2. */
  readonly statusText: string = ''
  readonly body: Body | null = null
  /** How long the service asks the caller to wait; null when it does not. */
  readonly retryAfterSeconds: number | null = null

  constructor(message: string, status: number, details: Details = {}) {
    super(message)
    this.status = status
    Object.assign(this, details)
  }
}

type Details = Partial<Pick<RequestFailure, 'foreignStatus' | 'statusText' | 'body' | 'retryAfterSeconds'>>

/** For a call that got no answer. */
export const connectionLost = () => new RequestFailure(failures.connectionLost, 0)

/** For an answer that is not the service's, although its status is a success. */
export const unreadableAnswer = (foreignStatus: number) =>
  new RequestFailure(failures.unreadable, 0, { foreignStatus })

/** The failure that an answer describes: the service's sentence, or the generic text of §8. An answer without a code of
 *  the service is not the service's: a proxy or the network of a hotel has written it. */
export async function readAnswer(answer: Response): Promise<RequestFailure> {
  const { status, statusText, headers } = answer
  const text = await answer.text()
  const body = bodyOf(text)
  const said = headers.get('content-type')?.includes('html') ? textOfPage(text) : text
  return new RequestFailure(
    (body && sentenceIn(body)) || genericText(status, said.trim() || statusText),
    body ? status : 0,
    {
      statusText,
      body,
      retryAfterSeconds: secondsUntil(headers.get('retry-after')),
      foreignStatus: body ? 0 : status,
    },
  )
}

/** Over tRPC the body of the REST call is a part of another one. */
function bodyOf(text: string): Body | null {
  try {
    const given = JSON.parse(text)
    const { message, data } = Object(Object(given).error)
    const body = data ? { ...data, message } : given
    return typeof Object(body).code === 'string' ? body : null
  } catch {
    return null
  }
}

/** The failure behind what a call threw; null when the call itself did not fail. */
export function failureOf(error: unknown): RequestFailure | null {
  if (error instanceof RequestFailure) return error
  return error instanceof Error && error.cause instanceof RequestFailure ? error.cause : null
}

/** The sentence that the service wrote for the visitor, which may be empty. Null when no answer came, or when it is not
 *  the service's. */
export function serverMessage(error: unknown): string | null {
  const body = failureOf(error)?.body
  return body ? sentenceIn(body) : null
}

/** Why the service has refused a call. */
export const reasonOf = (error: unknown): Reason | undefined => failureOf(error)?.body?.reason

/** What the service says is wrong with the input. */
export const issuesOf = (error: unknown) => failureOf(error)?.body?.issues ?? []

/** What the service says is wrong with a field. */
export const issueWith = (error: unknown, field: string): string | undefined =>
  issuesOf(error).find(({ path }) => path.includes(field))?.message

/** What the visitor reads about a call that failed.
 *  @param fallback for an answer of the service without a sentence (§7). */
export function failureText(error: unknown, fallback?: string): string {
  const failure = failureOf(error)
  if (!failure) return failures.unknown
  if (failure.status === 0 && failure.foreignStatus === 0) return NO_ANSWER
  return serverMessage(error) || (failure.body && fallback) || failure.message
}

const sentenceIn = ({ error, message }: Body): string | null => error ?? message ?? null

/** The status code, a colon and a space, then the body's text or else the status text (§8). */
function genericText(status: number, said: string): string {
  return `${status}: ${said.length > FOREIGN_TEXT_MAX ? `${said.slice(0, FOREIGN_TEXT_MAX)}…` : said}`
}

/** The text of a page of HTML, such as a proxy's. */
function textOfPage(html: string): string {
  const { body } = new DOMParser().parseFromString(html.replaceAll('<', ' <'), 'text/html')
  return body.textContent.replace(/\s+/g, ' ')
}

/** Retry-After as a number of seconds. Others than the service may write a date (RFC 9110 §10.2.3), which is ignored. */
function secondsUntil(retryAfter: string | null): number | null {
  const seconds = Number.parseInt(retryAfter ?? '', 10)
  return Number.isNaN(seconds) ? null : Math.max(1, seconds)
}

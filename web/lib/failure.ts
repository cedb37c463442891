import type { Reason } from '../../src/contract/reasons.ts'
import { failures } from '../../src/texts/english/common.ts'
/** Calls that failed, over tRPC or as a form, and what visitors read about them (§8). */

/** What visitors read about a call that got no answer. */
export const NO_ANSWER = failures.noAnswer
/** Characters shown of an answer that was not written for visitors. */
const FOREIGN_TEXT_MAX = 300

/** One thing that is wrong with an input: where, and what. */
interface Issue {
  path: (string | number)[]
  message: string
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
  /** The answer's body as JSON, or null when it was none. */
  readonly body: unknown = null
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

/** The answer of a call that failed. */
export interface FailedAnswer {
  status: number
  statusText: string
  text: string
  contentType: string | null
  retryAfter: string | null
}

/** The failure that an answer describes: the service's sentence, or the generic text of §8. An answer without a code of
 *  the service is not the service's: a proxy or the network of a hotel has written it. */
export function readFailure(answer: FailedAnswer): RequestFailure {
  const { status, statusText, text, retryAfter } = answer
  const body = parseJson(text)
  const isOurs = isObject(body) && typeof body.code === 'string'
  return new RequestFailure((isOurs && sentenceIn(body)) || genericText(answer), isOurs ? status : 0, {
    statusText,
    body: isOurs ? body : null,
    retryAfterSeconds: secondsUntil(retryAfter),
    foreignStatus: isOurs ? 0 : status,
  })
}

/** Like readFailure, for an answer to fetch whose body has not been read. */
export async function readAnswer(answer: Response): Promise<RequestFailure> {
  const { status, statusText, headers } = answer
  return readFailure({
    status,
    statusText,
    text: await answer.text(),
    contentType: headers.get('content-type'),
    retryAfter: headers.get('retry-after'),
  })
}

/** The failure behind what a call threw; null when the call itself did not fail. */
export function failureOf(error: unknown): RequestFailure | null {
  if (error instanceof RequestFailure) return error
  if (!(error instanceof Error)) return null
  if (error.cause instanceof RequestFailure) return error.cause
  return isTrpcFault(error) ? fromTrpc(error) : null
}

/** The sentence that the service wrote for the visitor, which may be empty. Null when no answer came, or when it is not
 *  the service's. */
export function serverMessage(error: unknown): string | null {
  return sentenceIn(failureOf(error)?.body)
}

/** Why the service has refused a call. */
export function reasonOf(error: unknown): Reason | undefined {
  const body = failureOf(error)?.body
  return isObject(body) ? (body.reason as Reason) : undefined
}

/** What the service says is wrong with the input. */
export function issuesOf(error: unknown): readonly Issue[] {
  const body = failureOf(error)?.body
  return isObject(body) && Array.isArray(body.issues) ? body.issues : []
}

/** What the visitor reads about a call that failed.
 *  @param fallback for an answer of the service without a sentence (§7). */
export function failureText(error: unknown, fallback?: string): string {
  const failure = failureOf(error)
  if (failure?.status === 0 && failure.foreignStatus === 0) return NO_ANSWER
  const said = serverMessage(error) || (isObject(failure?.body) && fallback)
  return said || failure?.message || failures.unknown
}

/** An error of the tRPC client with the service's answer. */
interface TrpcFault extends Error {
  shape: {
    message: string
    data: { code: string; reason?: string; httpStatus: number; issues?: Issue[]; retryAfter?: number }
  }
  meta?: { response?: Response }
}

function isTrpcFault(error: Error): error is TrpcFault {
  return error.name === 'TRPCClientError' && 'shape' in error && isObject(error.shape)
}

/** Gives the failure that the same call has over REST. */
function fromTrpc({ shape: { message, data }, meta }: TrpcFault): RequestFailure {
  return new RequestFailure(message, data.httpStatus, {
    statusText: meta?.response?.statusText ?? '',
    body: { message, error: message, code: data.code, reason: data.reason, issues: data.issues },
    retryAfterSeconds: data.retryAfter ?? null,
  })
}

function sentenceIn(body: unknown): string | null {
  if (!isObject(body)) return null
  const { error, message } = body
  return typeof error === 'string' ? error : typeof message === 'string' ? message : null
}

/** The status code, a colon and a space, then the body's text or else the status text (§8). */
function genericText({ status, statusText, text, contentType }: FailedAnswer): string {
  const said = (contentType?.includes('html') ? textOfPage(text) : text).trim()
  const short = said.length > FOREIGN_TEXT_MAX ? `${said.slice(0, FOREIGN_TEXT_MAX)}…` : said
  return `${status}: ${short || statusText}`
}

/** The text of a page of HTML, such as a proxy's. */
function textOfPage(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  const texts = document.createTreeWalker(body, NodeFilter.SHOW_TEXT)
  let said = ''
  while (texts.nextNode()) said += ` ${texts.currentNode.nodeValue}`
  return said.replace(/\s+/g, ' ')
}

/** Retry-After is a number of seconds or a date (RFC 9110 §10.2.3). */
function secondsUntil(retryAfter: string | null): number | null {
  if (retryAfter === null) return null
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000
  return Number.isNaN(seconds) ? null : Math.max(1, Math.ceil(seconds))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

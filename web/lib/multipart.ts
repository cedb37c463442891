/** A multipart call that did not succeed. `status` is 0 when no answer came at all. */
export class RequestFailure extends Error {
  override readonly name = 'RequestFailure'
  readonly status: number
  /** The answer's body as JSON, or null when it was none. */
  readonly body: unknown
  /** How long the service asks to wait, when it says so. */
  readonly retryAfterSeconds: number | null

  constructor(
    message: string,
    status: number,
    { body = null, retryAfterSeconds = null }: { body?: unknown; retryAfterSeconds?: number | null } = {},
  ) {
    super(message)
    this.status = status
    this.body = body
    this.retryAfterSeconds = retryAfterSeconds
  }
}

export interface MultipartOptions {
  signal?: AbortSignal
  /** Called with the bytes of the body sent so far, the multipart framing included. */
  onSent?: (bytes: number) => void
}

/** Sends a form with the visitor's cookies and gives the JSON of the answer. XMLHttpRequest, because fetch
 *  does not tell how much has been sent. Throws RequestFailure, or the signal's reason when it is aborted. */
export function postMultipart<Answer>(
  url: string,
  form: FormData,
  { signal, onSent }: MultipartOptions = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    request.open('POST', url)
    request.withCredentials = true
    if (onSent) request.upload.onprogress = (event) => onSent(event.loaded)
    request.onload = () => {
      const body = parse(request.responseText)
      if (request.status < 200 || request.status > 299)
        reject(
          new RequestFailure(failureText(request, body), request.status, {
            body,
            retryAfterSeconds: secondsUntil(request.getResponseHeader('retry-after')),
          }),
        )
      else if (body === null) reject(new RequestFailure('The answer could not be read', request.status))
      else resolve(body as Answer)
    }
    request.onerror = () => reject(new RequestFailure('The connection was lost', 0))
    request.onabort = () => reject(signal?.reason ?? new RequestFailure('The request was stopped', 0))
    request.onloadend = () => signal?.removeEventListener('abort', abort)
    signal?.addEventListener('abort', abort)
    request.send(form)
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Retry-After is a number of seconds or a date (RFC 9110 §10.2.3). */
function secondsUntil(retryAfter: string | null): number | null {
  if (retryAfter === null) return null
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000
  return Number.isNaN(seconds) ? null : Math.max(1, Math.ceil(seconds))
}

/** The service's own sentence when there is one, else the generic text of §8. */
function failureText(request: XMLHttpRequest, body: unknown): string {
  if (typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'string')
    return body.error
  return `${request.status}: ${request.responseText || request.statusText}`
}

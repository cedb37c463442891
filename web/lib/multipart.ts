import { failures } from '../../src/texts/english/common.ts'
import { connectionLost, RequestFailure, readFailure, unreadableAnswer } from './failure.ts'

export interface MultipartOptions {
  signal?: AbortSignal
  /** Called with the bytes of the body sent so far, the multipart framing included. */
  onSent?: (bytes: number) => void
  /** How long an answer may take; 0: as long as it likes. */
  timeoutMs?: number
}

/** Sends a form with the visitor's cookies and gives the JSON of the answer. It uses XMLHttpRequest, because fetch
 *  does not report how much has been sent. Throws RequestFailure, or the signal's reason when it is aborted. */
export function postMultipart<Answer>(
  url: string,
  form: FormData,
  { signal, onSent, timeoutMs = 0 }: MultipartOptions = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    request.open('POST', url)
    request.withCredentials = true
    request.timeout = timeoutMs
    if (onSent) request.upload.onprogress = (event) => onSent(event.loaded)
    request.onload = () => {
      const answer = answerOf<Answer>(request)
      if (answer instanceof RequestFailure) reject(answer)
      else resolve(answer)
    }
    request.onerror = () => reject(connectionLost())
    request.ontimeout = () => reject(new RequestFailure(failures.noAnswerWithin(timeoutMs / 1000), 0))
    request.onabort = () => reject(signal?.reason ?? connectionLost())
    request.onloadend = () => signal?.removeEventListener('abort', abort)
    signal?.addEventListener('abort', abort)
    request.send(form)
  })
}

function answerOf<Answer>(request: XMLHttpRequest): Answer | RequestFailure {
  const { status, statusText, responseText: text } = request
  if (status < 200 || status > 299)
    return readFailure({
      status,
      statusText,
      text,
      contentType: request.getResponseHeader('content-type'),
      retryAfter: request.getResponseHeader('retry-after'),
    })
  try {
    return JSON.parse(text)
  } catch {
    return unreadableAnswer(status)
  }
}

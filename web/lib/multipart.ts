import { failures } from '../../src/texts/english/common.ts'
import { connectionLost, RequestFailure, readAnswer, unreadableAnswer } from './failure.ts'

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
    request.onload = () => resolve(read<Answer>(request))
    request.onerror = () => reject(connectionLost())
    request.ontimeout = () => reject(new RequestFailure(failures.noAnswerWithin(timeoutMs / 1000), 0))
    request.onabort = () => reject(signal?.reason ?? connectionLost())
    request.onloadend = () => signal?.removeEventListener('abort', abort)
    signal?.addEventListener('abort', abort)
    request.send(form)
  })
}

async function read<Answer>(request: XMLHttpRequest): Promise<Answer> {
  const { status, statusText, responseText } = request
  const names = ['content-type', 'retry-after']
  const headers = names.map((name): [string, string] => [name, request.getResponseHeader(name) ?? ''])
  const answer = new Response(responseText || null, { status, statusText, headers })
  if (!answer.ok) throw await readAnswer(answer)
  return await answer.json().catch(() => {
    throw unreadableAnswer(status)
  })
}

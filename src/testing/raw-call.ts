import { type IncomingHttpHeaders, request } from 'node:http'
import type { Answer } from './client.ts'

export interface RawAnswer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

const TIMEOUT_MS = 10_000

/** Sends exactly these headers and bytes to exactly this path, which fetch would tidy up.
 *  @throws when there is no answer in time, or the connection just ends. */
export function sendRaw(
  url: string,
  { method, path, headers = {} }: { method: string; path: string; headers?: Record<string, string> },
  body: Buffer | string = '',
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const call = request(url, { method, path, headers, timeout: TIMEOUT_MS }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, text }))
      response.on('error', reject)
    })
    call.on('timeout', () => call.destroy(new Error(`No answer in ${TIMEOUT_MS} ms`)))
    call.on('error', reject)
    call.end(body)
  })
}

/** A POST whose JSON answer is read as the tests' client reads it. */
export async function postRaw(
  url: string,
  path: string,
  headers: Record<string, string>,
  body: Buffer | string,
): Promise<Answer> {
  const answer = await sendRaw(url, { method: 'POST', path, headers }, body)
  const fetched = new Headers(answer.headers as Record<string, string>)
  return { status: answer.status, headers: fetched, body: JSON.parse(answer.text) }
}

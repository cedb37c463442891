import { type IncomingHttpHeaders, request } from 'node:http'
import { buffer } from 'node:stream/consumers'

export interface RawAnswer {
  status: number
  headers: IncomingHttpHeaders
  text: string
  bytes: Buffer
}

const TIMEOUT_MS = 10_000

/** Sends exactly these headers and bytes to exactly this path; fetch would normalise them.
 *  @throws Error when no answer comes in time, or the connection ends without one. */
export function sendRaw(
  url: string,
  { method, path, headers = {} }: { method: string; path: string; headers?: Record<string, string> },
  body: Buffer | string = '',
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const call = request(url, { method, path, headers, timeout: TIMEOUT_MS }, async (response) => {
      const bytes = await buffer(response).catch(reject)
      if (bytes)
        resolve({ status: response.statusCode!, headers: response.headers, text: bytes.toString(), bytes })
    })
    call.on('timeout', () => call.destroy(new Error(`No answer in ${TIMEOUT_MS} ms`)))
    call.on('error', reject)
    call.end(body)
  })
}

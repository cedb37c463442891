import { type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import type { Answer } from './client.ts'

/** A form with a photo that has begun to arrive and does not end. */
export type BegunForm = ReturnType<typeof beginForm>

interface FormStart {
  cookie?: string
  /** The network address that the service sees. */
  address?: string
  fields?: Record<string, string>
  /** The name of the part with the photo. */
  part?: string
  /** Bytes of the body that the head promises. */
  length?: number
}

/** Sends the head of a form, its fields, and the first byte of its photo. Without that byte the service cannot know that
 *  the head of the part has ended. */
export function beginForm(
  url: string,
  { cookie = '', address = '127.0.0.1', fields = {}, part = 'photo', length = 10_000_000 }: FormStart = {},
) {
  const call = request(url, {
    method: 'POST',
    agent: false,
    headers: {
      'content-type': 'multipart/form-data; boundary=x',
      'content-length': length,
      'x-forwarded-for': address,
      cookie,
    },
  })
  const answer = new Promise<Answer | Error>((resolve) => {
    call.on('response', async (response: IncomingMessage) => {
      const headers = new Headers(response.headers as Record<string, string>)
      resolve({ status: response.statusCode!, headers, body: await json(response) })
    })
    call.on('error', resolve)
  })
  const partOf = (name: string) => `--x\r\ncontent-disposition: form-data; name="${name}"`
  for (const [name, value] of Object.entries(fields)) call.write(`${partOf(name)}\r\n\r\n${value}\r\n`)
  call.write(`${partOf(part)}; filename="me.jpg"\r\ncontent-type: image/jpeg\r\n\r\nx`)
  return {
    /** What the service answers; an error when it hangs up. */
    answer,
    /** Sends more bytes of the photo. */
    send: (bytes: Buffer) => void call.write(bytes),
    hangUp: () => void call.destroy(),
  }
}

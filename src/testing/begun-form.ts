import { type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import type { Answer } from './client.ts'

/** A form with a photo that has begun to arrive and does not end. */
export interface BegunForm {
  /** What the service answers; an error when it hangs up. */
  answer: Promise<Answer | Error>
  /** Sends more bytes of the photo. */
  send(bytes: Buffer): Promise<void>
  hangUp(): void
}

/** Sends the head of a form, its fields, and the first byte of its photo. Without that byte the service cannot
 *  know that the head of the part has ended.
 *  @param address the network address that the service sees
 *  @param length bytes of the body that the head promises; undefined: it does not say */
export function beginForm(
  url: string,
  {
    cookie = '',
    address = '127.0.0.1',
    fields = {},
    part = 'photo',
    length = 10_000_000,
  }: {
    cookie?: string
    address?: string
    fields?: Record<string, string>
    part?: string
    length?: number | undefined
  } = {},
): BegunForm {
  const call = request(url, {
    method: 'POST',
    agent: false,
    headers: {
      'content-type': 'multipart/form-data; boundary=x',
      'x-forwarded-for': address,
      cookie,
      ...(length !== undefined && { 'content-length': length }),
    },
  })
  const answer = new Promise<Answer | Error>((resolve) => {
    call.on('response', async (response: IncomingMessage) => {
      const headers = new Headers(response.headers as Record<string, string>)
      resolve({ status: response.statusCode!, headers, body: await json(response) })
    })
    call.on('error', resolve)
  })
  for (const [name, value] of Object.entries(fields)) call.write(`${partOf(name)}\r\n\r\n${value}\r\n`)
  call.write(`${partOf(part)}; filename="me.jpg"\r\ncontent-type: image/jpeg\r\n\r\nx`)
  return {
    answer,
    send: (bytes) => new Promise((sent) => call.write(bytes, () => sent())),
    hangUp: () => void call.destroy(),
  }
}

const partOf = (name: string) => `--x\r\ncontent-disposition: form-data; name="${name}"`

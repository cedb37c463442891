import { readFile } from 'node:fs/promises'
import { SAMPLES, samplePath } from './sample-photos.ts'

export function readSample(number: number): Promise<Buffer> {
  return readFile(samplePath(number))
}

export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests read fields of any answer
  body: any
}

export interface Upload {
  name: string
  bytes: Buffer
}

/** Texts, and the bytes of pictures. */
export type FormFields = Record<string, string | Buffer | Buffer[]>

/** The fields in this order. */
export function formOf(fields: FormFields): FormData {
  const form = new FormData()
  for (const [name, values] of Object.entries(fields))
    for (const value of [values].flat())
      if (typeof value === 'string') form.append(name, value)
      else form.append(name, new Blob([new Uint8Array(value)]), 'selfie.jpg')
  return form
}

/** A client of the REST calls, with its own cookies. */
export interface TestClient {
  get(path: string): Promise<Answer>
  post(path: string, json: unknown): Promise<Answer>
  /** Reads by a call of the web app. */
  query(call: string, input: object): Promise<Answer>
  postForm(path: string, form: FormData): Promise<Answer>
  delete(path: string): Promise<Answer>
  createAlbum(albumName?: string): Promise<{ ownerKey: string; albumName: string }>
  uploadPhotos(ownerKey: string, photos: Upload[], fields?: Record<string, string | number>): Promise<Answer>
  /** @param sent a selfie, or the fields of the form: texts, and the bytes of pictures */
  search(albumName: string, sent: Buffer | FormFields): Promise<Answer>
  submitSelfie(selfie: Buffer, fields?: Record<string, string>): Promise<Answer>
  cookie(): string
}

/** @param headers sent with each call; for example x-forwarded-for, the network address that the service sees */
export function createClient(
  url: string,
  initialCookie = '',
  headers: Record<string, string> = {},
): TestClient {
  /** By name. */
  const cookies = new Map(initialCookie.split('; ').map((pair) => pair.split('=', 2) as [string, string]))
  cookies.delete('')
  const cookie = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

  async function call(path: string, init: RequestInit): Promise<Answer> {
    const response = await fetch(url + path, {
      ...init,
      headers: { ...headers, ...init.headers, cookie: cookie() },
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      cookies.set(name!, value!)
    }
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json')
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
  }

  const client: TestClient = {
    get: (path) => call(path, {}),
    post: (path, json) =>
      call(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(json),
      }),
    query: (name, input) => call(`/trpc/${name}?input=${encodeURIComponent(JSON.stringify(input))}`, {}),
    postForm: (path, form) => call(path, { method: 'POST', body: form }),
    delete: (path) => call(path, { method: 'DELETE' }),
    cookie,

    async createAlbum(albumName = 'Summer Party') {
      const input = { email: 'owner@example.com', albumName, displayName: albumName }
      const { status, body } = await client.post('/api/user-albums', input)
      if (status !== 200) throw new Error(`Creating an album answered ${status}: ${body.message}`)
      return { ownerKey: body.userAlbum.id, albumName: body.userAlbum.albumName }
    },

    uploadPhotos(ownerKey, photos, fields = {}) {
      const form = new FormData()
      for (const { name, bytes } of photos) form.append('photos', new Blob([new Uint8Array(bytes)]), name)
      for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
      return client.postForm(`/api/albums/${ownerKey}/upload-photos`, form)
    },

    search(albumName, sent) {
      const fields: FormFields = Buffer.isBuffer(sent) ? { photo: sent, albumName } : { albumName, ...sent }
      return client.postForm('/api/search-in-album', formOf(fields))
    },
    submitSelfie: (photo, fields = {}) => client.postForm('/api/submit-photo', formOf({ photo, ...fields })),
  }
  return client
}

export async function sampleUploads(numbers: number[] = SAMPLES): Promise<Upload[]> {
  return await Promise.all(
    numbers.map(async (number) => ({ name: `sample${number}.jpg`, bytes: await readSample(number) })),
  )
}

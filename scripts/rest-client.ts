/** A client of the REST calls, as a third party would write it: fetch, a cookie, and the error's message. */
export interface RestClient {
  get<T>(path: string): Promise<T>
  post<T>(path: string, body: object | FormData): Promise<T>
}

/** @throws Error with the server's own message when a call fails. */
export function createRestClient(url: string): RestClient {
  let cookie = ''

  async function call<T>(path: string, init: RequestInit): Promise<T> {
    const response = await fetch(url + path, { ...init, headers: { ...init.headers, cookie } })
    const fresh = response.headers.getSetCookie().map((line) => line.split(';')[0])
    if (fresh.length > 0) cookie = fresh.join('; ')
    const text = await response.text()
    if (!response.ok) throw new Error(messageOf(text) ?? `${response.status} ${response.statusText}`)
    return JSON.parse(text) as T
  }

  return {
    get: (path) => call(path, {}),
    post: (path, body) =>
      call(
        path,
        body instanceof FormData
          ? { method: 'POST', body }
          : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
      ),
  }
}

function messageOf(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { message?: string }).message
  } catch {
    return undefined
  }
}

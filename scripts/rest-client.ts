/** A client of the REST calls, as a third party would write it: fetch, a cookie, and the error's message. */
export interface RestClient {
  get<T>(path: string): Promise<T>
  post<T>(path: string, body: object | FormData): Promise<T>
}

/** @throws Error with the server's own message when a call fails */
export function createRestClient(url: string): RestClient {
  let cookie = ''

  async function call<T>(path: string, init: RequestInit): Promise<T> {
    const response = await fetch(url + path, { ...init, headers: { ...init.headers, cookie } })
    const fresh = response.headers.getSetCookie().map((line) => line.split(';')[0])
    if (fresh.length > 0) cookie = fresh.join('; ')
    if (response.ok) return (await response.json()) as T
    const answer = (await response.json().catch(() => ({}))) as { message?: string }
    throw new Error(answer.message ?? response.statusText)
  }

  return {
    get: (path) => call(path, {}),
    post(path, body) {
      if (body instanceof FormData) return call(path, { method: 'POST', body })
      const headers = { 'content-type': 'application/json' }
      return call(path, { method: 'POST', headers, body: JSON.stringify(body) })
    },
  }
}

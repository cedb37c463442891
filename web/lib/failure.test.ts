import { TRPCClientError } from '@trpc/client'
import { describe, expect, test } from 'vitest'
import { connectionLost, failureOf, failureText, issuesOf, readFailure, serverMessage } from './failure.ts'

const answer = (status: number, statusText: string, text: string) =>
  readFailure({ status, statusText, text, contentType: 'text/plain', retryAfter: null })

/** As the tRPC client throws it. */
const trpcError = (message: string, issues?: unknown[]) =>
  new TRPCClientError(message, {
    result: {
      error: { message, code: -32600, data: { code: 'BAD_REQUEST', httpStatus: 400, issues, retryAfter: 7 } },
    },
  })

describe('the generic text of a failed call', () => {
  test('is the status, a colon, a space, and the body', () => {
    expect(failureText(answer(502, 'Bad Gateway', 'upstream is away'))).toBe('502: upstream is away')
  })

  test('ends with the status text when the body is empty', () => {
    expect(failureText(answer(503, 'Service Unavailable', ''))).toBe('503: Service Unavailable')
  })

  test('is cut when the body is long', () => {
    expect(failureText(answer(502, 'Bad Gateway', 'x'.repeat(5000)))).toBe(`502: ${'x'.repeat(300)}…`)
  })

  test('mentions the connection only when no answer came', () => {
    expect(failureText(connectionLost())).toMatch(/internet connection/)
  })
})

describe("the service's own sentence", () => {
  const body = JSON.stringify({ message: 'No such album', error: 'No such album', code: 'NOT_FOUND' })

  test('is what the visitor reads, from a form and over tRPC', () => {
    expect(failureText(answer(404, 'Not Found', body), 'fallback')).toBe('No such album')
    expect(failureText(trpcError('No such album'), 'fallback')).toBe('No such album')
  })

  test('is replaced by the fallback when the service wrote none, and not when a proxy answered', () => {
    expect(
      failureText(
        answer(500, 'Internal Server Error', '{"code":"INTERNAL_SERVER_ERROR"}'),
        'Album not found',
      ),
    ).toBe('Album not found')
    expect(failureText(trpcError(''), 'Album not found')).toBe('Album not found')
    expect(failureText(answer(502, 'Bad Gateway', 'nginx'), 'Album not found')).toBe('502: nginx')
  })

  test("is null for a proxy's answer", () => {
    expect(serverMessage(answer(502, 'Bad Gateway', 'nginx'))).toBeNull()
  })
})

test.each([
  ['a page of a proxy', '<html><h1>404 Not Found</h1></html>'],
  ['JSON of a proxy', '{"message":"no Route matched"}'],
  ['nothing', ''],
])('the status of %s is not that of the service', (_, text) => {
  expect(answer(404, 'Not Found', text)).toMatchObject({ status: 0, foreignStatus: 404, body: null })
})

test('a failure over tRPC has the same status, wait and issues as over REST', () => {
  const issues = [{ path: ['email'], message: 'Please enter a valid email address' }]
  const failure = failureOf(trpcError('Please enter a valid email address', issues))
  expect(failure).toMatchObject({ status: 400, retryAfterSeconds: 7, body: { code: 'BAD_REQUEST' } })
  expect(issuesOf(failure)).toEqual(issues)
})

test('a failure that is the cause of an error is found', () => {
  const failure = connectionLost()
  expect(failureOf(new TRPCClientError('x', { cause: failure }))).toBe(failure)
  expect(failureOf(new Error('a fault of ours'))).toBeNull()
})

test.each([
  ['5', 5],
  ['0', 1],
  ['soon', null],
  [null, null],
])('Retry-After %j asks for %j seconds', (retryAfter, seconds) => {
  const failure = readFailure({ status: 429, statusText: '', text: '', contentType: null, retryAfter })
  expect(failure.retryAfterSeconds).toBe(seconds)
})

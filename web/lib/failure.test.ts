import { TRPCClientError } from '@trpc/client'
import { expect, test } from 'vitest'
import { connectionLost, failureOf, failureText, issuesOf, readAnswer, serverMessage } from './failure.ts'

const answer = (status: number, statusText: string, text: string, headers = {}) =>
  readAnswer(new Response(text, { status, statusText, headers }))

/** As the service answers a call over tRPC. */
const trpcAnswer = (message: string, issues?: unknown[]) =>
  answer(
    400,
    'Bad Request',
    JSON.stringify({
      error: { message, code: -32600, data: { code: 'BAD_REQUEST', httpStatus: 400, issues } },
    }),
    { 'retry-after': '7' },
  )

const OURS = JSON.stringify({ message: 'No such album', error: 'No such album', code: 'NOT_FOUND' })
const OURS_WITHOUT_SENTENCE = '{"code":"INTERNAL_SERVER_ERROR"}'

test.each([
  ['the status and the body', answer(502, 'Bad Gateway', 'upstream is away'), '502: upstream is away'],
  ['the status text without a body', answer(503, 'Service Unavailable', ''), '503: Service Unavailable'],
  ['a long body, cut', answer(502, 'Bad Gateway', 'x'.repeat(5000)), `502: ${'x'.repeat(300)}…`],
  ["the service's own sentence from a form", answer(404, 'Not Found', OURS), 'No such album'],
  ["the service's own sentence over tRPC", trpcAnswer('No such album'), 'No such album'],
  ['the fallback without a sentence', answer(500, 'No', OURS_WITHOUT_SENTENCE), 'the fallback'],
  ['the fallback without a sentence over tRPC', trpcAnswer(''), 'the fallback'],
])('the text of a failed call is %s', async (_what, failure, text) => {
  expect(failureText(await failure, 'the fallback')).toBe(text)
})

test('the text mentions the connection only when no answer came', () => {
  expect(failureText(connectionLost())).toMatch(/internet connection/)
})

test("the service's own sentence is null for a proxy's answer", async () => {
  expect(serverMessage(await answer(502, 'Bad Gateway', 'nginx'))).toBeNull()
})

test.each([
  ['a page of a proxy', '<html><h1>404 Not Found</h1></html>'],
  ['JSON of a proxy', '{"message":"no Route matched"}'],
  ['nothing', ''],
])('the status of %s is not that of the service', async (_, text) => {
  expect(await answer(404, 'Not Found', text)).toMatchObject({ status: 0, foreignStatus: 404, body: null })
})

test('a failure over tRPC has the same status, wait and issues as over REST', async () => {
  const issues = [{ path: ['email'], message: 'Please enter a valid email address' }]
  const failure = await trpcAnswer('Please enter a valid email address', issues)
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
])('Retry-After %j asks for %j seconds', async (retryAfter, seconds) => {
  expect(await answer(429, '', '', { 'retry-after': retryAfter })).toMatchObject({
    retryAfterSeconds: seconds,
  })
})

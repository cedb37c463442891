import { expect, test } from 'vitest'
import { AppError } from './errors.ts'
import { createLog } from './log.ts'

function logged(err: unknown): object {
  const lines: string[] = []
  createLog('info', { write: (line) => void lines.push(line) }).error({ err }, 'Something failed')
  return JSON.parse(lines[0]!).err
}

test('an error is logged with what locates it, and without what else it carries', () => {
  const error = Object.assign(new Error('refused', { cause: new TypeError('the reason') }), {
    code: '23505',
    detail: 'Key (email)=(mira@example.com) exists.',
  })
  expect(logged(error)).toEqual({
    type: 'Error',
    message: 'refused',
    code: '23505',
    stack: error.stack,
    cause: { type: 'TypeError', message: 'the reason', stack: (error.cause as Error).stack },
  })
})

test("the job queue's errors, which are plain objects, are logged with their message", () => {
  const { message, stack } = new Error('the connection has ended')
  expect(logged({ message, stack, code: 'ECONNRESET', detail: 'secret', queue: 'index-photos' })).toEqual({
    type: 'object',
    message: 'the connection has ended',
    code: 'ECONNRESET',
    stack,
  })
})

test('anything else that is thrown is logged as text', () => {
  expect(logged('a word')).toEqual({ type: 'string', message: 'a word' })
  expect(logged(null)).toEqual({ type: 'object', message: 'null' })
})

test('something unavailable is logged with its causes, and without stacks', () => {
  const cause = new Error('refused', { cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }) })
  expect(logged(new AppError('SERVICE_UNAVAILABLE', 'The store is away', { cause }))).toEqual({
    type: 'AppError',
    message: 'The store is away',
    code: 'SERVICE_UNAVAILABLE',
    cause: {
      type: 'Error',
      message: 'refused',
      cause: { type: 'Error', message: 'connect', code: 'ECONNREFUSED' },
    },
  })
})

import { expect } from 'vitest'
import type { Answer } from './client.ts'

/** Expects an answer with this status, the usual error body, and no internals such as a stack trace. */
export function expectError(answer: Answer, status: number, message: RegExp): void {
  expect(answer.status, JSON.stringify(answer.body)).toBe(status)
  expect(answer.body.message).toMatch(message)
  expect(answer.body.error).toBe(answer.body.message)
  expect(answer.body.code).toMatch(/^[A-Z_]+$/)
  expect(answer.body.reason).toMatch(/^[a-z_]+$/)
  expect(answer.body.requestId).toBe(answer.headers.get('x-request-id'))
  expect(JSON.stringify(answer.body)).not.toMatch(/stack|node_modules|\/src\//)
}

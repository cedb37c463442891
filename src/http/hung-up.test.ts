import { EventEmitter } from 'node:events'
import type { FastifyReply } from 'fastify'
import { expect, test } from 'vitest'
import { hungUp } from './hung-up.ts'

test('the calls of a batch listen once for the end of their answer', () => {
  const raw = new EventEmitter()
  const reply = { raw } as Partial<FastifyReply> as FastifyReply
  const signals = Array.from({ length: 10 }, () => hungUp(reply))
  expect(raw.listenerCount('close')).toBe(1)
  expect(signals.map(({ aborted }) => aborted)).toEqual(Array(10).fill(false))
  raw.emit('close')
  expect(signals.map(({ aborted }) => aborted)).toEqual(Array(10).fill(true))
})

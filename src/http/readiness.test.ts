import { beforeEach, expect, test } from 'vitest'
import { AppError } from '../errors.ts'
import { createLog } from '../log.ts'
import { createReadiness, type Dependency } from './readiness.ts'

let lines: string[]
beforeEach(() => {
  lines = []
})

const ok: Dependency = { check: async () => {}, isNeeded: true }
const failing = (error: Error): Dependency => ({ check: () => Promise.reject(error), isNeeded: true })
const readinessOf = (dependencies: Record<string, Dependency>) =>
  createReadiness(dependencies, createLog('info', { write: (line) => void lines.push(line) }))

test('requires all needed dependencies, and no others', async () => {
  expect(await readinessOf({ one: ok, other: ok }).isReady()).toBe(true)
  expect(await readinessOf({ one: ok, other: failing(new Error()) }).isReady()).toBe(false)
  const spare = { ...failing(new AppError('SERVICE_UNAVAILABLE', 'Away')), isNeeded: false }
  const readiness = readinessOf({ one: ok, spare })
  expect(await readiness.isReady()).toBe(true)
  expect((await readiness.dependencies()).spare).toEqual({
    ok: false,
    ms: expect.any(Number),
    message: 'Away',
  })
})

test('ends at once when the process begins to stop', async () => {
  const readiness = readinessOf({ one: ok })
  expect(await readiness.isReady()).toBe(true)
  readiness.stop()
  expect(await readiness.isReady()).toBe(false)
})

test('does not wait for a check that hangs, and does not start a second one meanwhile', async () => {
  const hang = Promise.withResolvers<void>()
  let asked = 0
  const check = () => {
    asked++
    return hang.promise
  }
  const readiness = readinessOf({ one: { check, isNeeded: true, everyMs: 0 } })
  expect(await readiness.dependencies()).toMatchObject({
    one: { ok: false, message: 'No answer in 2000 ms' },
  })
  const second = readiness.isReady()
  hang.resolve()
  expect(await second).toBe(true)
  expect(asked).toBe(1)
})

test('logs when a dependency becomes unavailable and when it is available again, and not in between', async () => {
  let fault: Error | undefined = new Error('gone')
  const check = async () => {
    if (fault) throw fault
  }
  const readiness = readinessOf({ one: { check, isNeeded: true, everyMs: -1 } })
  await readiness.isReady()
  await readiness.isReady()
  fault = undefined
  await readiness.isReady()
  await readiness.isReady()
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { dependency: 'one', err: { message: 'gone' }, msg: 'A dependency is unavailable' },
    { dependency: 'one', msg: 'A dependency is available again' },
  ])
})

test('shows no path, address or secret from an error', async () => {
  const faults = {
    database: Object.assign(new Error('connect ECONNREFUSED 10.1.2.3:5432'), {
      code: 'ECONNREFUSED',
      syscall: 'connect',
    }),
    storage: Object.assign(new Error("EACCES, open '/srv/files/secret'"), { code: 'EACCES' }),
    mail: new Error('owner@example.com has hunter2'),
  }
  const dependencies = await readinessOf({
    database: failing(faults.database),
    storage: failing(faults.storage),
    mail: failing(faults.mail),
  }).dependencies()
  expect(Object.values(dependencies).map(({ message }) => message)).toEqual([
    'Does not answer (ECONNREFUSED)',
    'The check failed (EACCES). See the log.',
    'The check failed. See the log.',
  ])
})

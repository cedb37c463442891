import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { getPriority } from 'node:os'
import { expect, test } from 'vitest'
import { nicenessOf } from '../testing/child-processes.ts'
import { canGiveWay, giveWay } from './niceness.ts'

test('a process that this one starts can give way, and this one stays as it is', () => {
  const before = getPriority()
  expect(canGiveWay(19)).toBe(true)
  expect(getPriority()).toBe(before)
})

test('it cannot give way further than this one already does', () => {
  expect(canGiveWay(getPriority())).toBe(false)
})

test('it cannot where the system does not allow it, or takes no notice', () => {
  const refuse = () => {
    throw Object.assign(new Error('Operation not permitted'), { code: 'EPERM' })
  }
  expect(canGiveWay(19, refuse)).toBe(false)
  expect(canGiveWay(19, () => {})).toBe(false)
})

test('a process that already has several threads gives way with all of them', async () => {
  const child = spawn(process.execPath, ['-e', 'console.log("ready"); setInterval(() => {}, 60_000)'])
  try {
    await once(child.stdout, 'data')
    giveWay(child.pid, getPriority() + 1)
    const threads = nicenessOf(child.pid!)
    expect(threads.length).toBeGreaterThan(1)
    expect(new Set(threads)).toEqual(new Set([getPriority() + 1]))
  } finally {
    child.kill('SIGKILL')
  }
})

import { tmpdir } from 'node:os'
import { beforeEach, expect, test } from 'vitest'
import { createLog } from '../log.ts'
import { createFreeDisk, freeBytes } from './free-disk.ts'

let lines: string[]
beforeEach(() => {
  lines = []
})
const log = createLog('warn', { write: (line) => void lines.push(line) })

async function freeDiskAbove(minimumOf: (free: number) => number) {
  const minimum = minimumOf(await freeBytes(tmpdir()))
  return createFreeDisk({ folders: [tmpdir()], minimum, log })
}

const REFUSED = {
  code: 'SERVICE_UNAVAILABLE',
  message: 'The disk of this service is almost full, so nothing new can be stored at the moment',
  retryAfter: 60,
}

test('lets files in while the disk has more than the minimum', async () => {
  const freeDisk = await freeDiskAbove((free) => free / 2)
  await expect(freeDisk.require()).resolves.toBeUndefined()
  await expect(freeDisk.require(1e6)).resolves.toBeUndefined()
})

test('refuses below the minimum, with a sentence and a time, and warns the maintainer once', async () => {
  const freeDisk = await freeDiskAbove((free) => free * 2)
  for (let call = 0; call < 3; call++) await expect(freeDisk.require()).rejects.toMatchObject(REFUSED)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('DISK_FREE_MIN_MB')
})

test('many files that are let in at the same moment do not get below the minimum together', async () => {
  const freeIn = async () => 600e6
  const freeDisk = createFreeDisk({ folders: ['/'], minimum: 500e6, log, freeIn })
  const asked = await Promise.allSettled(Array.from({ length: 1000 }, () => freeDisk.require(5e6)))
  const letIn = asked.filter(({ status }) => status === 'fulfilled')
  expect(letIn).toHaveLength(20)
  expect(asked.at(-1)).toMatchObject({ status: 'rejected', reason: REFUSED })
})

import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { createLog } from '../log.ts'
import { createFreeDisk, freeBytes } from './free-disk.ts'

const lines: string[] = []
const log = createLog('warn', { write: (line) => void lines.push(line) })

test('lets uploads in while the disk has more than the minimum', async () => {
  const free = await freeBytes(tmpdir())
  await expect(createFreeDisk([tmpdir()], free / 2, log).require()).resolves.toBeUndefined()
})

test('refuses below the minimum, with a sentence and a time, and warns the maintainer once', async () => {
  const free = await freeBytes(tmpdir())
  const freeDisk = createFreeDisk([tmpdir()], free * 2, log)
  for (let call = 0; call < 3; call++)
    await expect(freeDisk.require()).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: 'The disk of this service is almost full, so it takes no photos at the moment',
      retryAfter: 60,
    })
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('DISK_FREE_MIN_MB')
})

import { expect, test } from 'vitest'
import { createMetrics } from './metrics.ts'

test('a reading that fails leaves its figures out, and only those', async () => {
  const faults: unknown[] = []
  const away = new Error('the database is unavailable')
  const metrics = createMetrics(
    {
      queues: () => Promise.reject(away),
      photos: async () => ({ waiting: 3 }),
      decoders: () => ({ waiting: 2, running: 1 }),
    },
    (fault) => faults.push(fault),
  )
  const text = await metrics.text()
  expect(text).toContain('inframe_photos{stage="waiting"} 3')
  expect(text).toContain('inframe_decoder_pictures{state="waiting"} 2')
  expect(text).not.toContain('inframe_queue_jobs{')
  expect(text).toContain('process_cpu_seconds_total')
  expect(faults).toEqual([away])
})

test('the database is read once every few seconds, even with many scrapers', async () => {
  let read = 0
  const queue = { queue: 'q', state: 'active' as const, count: 1 }
  const queues = async () => {
    read++
    return [queue]
  }
  const metrics = createMetrics(
    { queues, photos: async () => ({}), decoders: () => ({ waiting: 2, running: 1 }) },
    () => {},
  )
  const texts = await Promise.all([metrics.text(), metrics.text(), metrics.text()])
  for (const text of texts) expect(text).toContain('inframe_queue_jobs{queue="q",state="active"} 1')
  expect(read).toBe(1)
})

import { expect, test } from 'vitest'
import { createZipSlots } from './zip-slots.ts'

/** Slots for four downloads. The names of downloads that were stopped are in `stopped`. */
function fourSlots() {
  const slots = createZipSlots(4)
  const stopped: string[] = []
  const take = (network: string, address: string, name = `${network}/${address}`, session?: string) =>
    slots.take({ network, session, address, stop: () => stopped.push(name) })
  return { slots, stopped, take }
}

const BUSY = { code: 'SERVICE_UNAVAILABLE', retryAfter: 10 }

test('one network has all slots while no other wants one', () => {
  const { slots, stopped, take } = fourSlots()
  for (const zip of ['1', '2', '3', '4']) take('hall', zip)
  expect([slots.taken(), stopped]).toEqual([4, []])
})

test('another network gets slots of the one that has most, until both have as many', () => {
  const { slots, stopped, take } = fourSlots()
  for (const zip of ['1', '2', '3', '4']) take('hall', zip)
  take('home', 'a')
  take('home', 'b')
  // The youngest ends, because it loses the least.
  expect(stopped).toEqual(['hall/4', 'hall/3'])
  expect(() => take('home', 'c')).toThrow(expect.objectContaining(BUSY))
  expect(slots.taken()).toBe(4)
})

test('many downloads of one zip leave a slot to another zip of the same network', () => {
  const { stopped, take } = fourSlots()
  take('hall', '1')
  for (const name of ['first', 'second', 'third']) take('hall', 'idle', name)
  take('hall', '2')
  expect(stopped).toEqual(['third'])
  expect(() => take('hall', 'idle')).toThrow(expect.objectContaining(BUSY))
})

test('of the network that has most, the zip with most downloads gives way', () => {
  const { stopped, take } = fourSlots()
  take('hall', 'idle', 'first')
  take('hall', 'idle', 'second')
  take('hall', '1')
  take('hall', '2')
  take('home', 'a')
  expect(stopped).toEqual(['second'])
})

test('many zips of one session leave slots to the other sessions of the same network', () => {
  const { stopped, take } = fourSlots()
  for (const zip of ['1', '2', '3', '4']) take('hall', zip, `greedy ${zip}`, 'greedy')
  take('hall', '5', 'guest 5', 'guest')
  take('hall', '6', 'guest 6', 'guest')
  expect(stopped).toEqual(['greedy 4', 'greedy 3'])
  expect(() => take('hall', '7', 'greedy 7', 'greedy')).toThrow(expect.objectContaining(BUSY))
})

test('all callers without a session are one caller', () => {
  const { stopped, take } = fourSlots()
  for (const zip of ['1', '2', '3', '4']) take('hall', zip)
  take('hall', '5', 'guest 5', 'guest')
  expect(stopped).toEqual(['hall/4'])
  expect(() => take('hall', '6')).toThrow(expect.objectContaining(BUSY))
})

test('of the network that has most, the session with most downloads gives way', () => {
  const { stopped, take } = fourSlots()
  take('hall', '1', 'greedy 1', 'greedy')
  take('hall', '2', 'greedy 2', 'greedy')
  take('hall', '3', 'guest 3', 'guest')
  take('hall', '4', 'other 4', 'other')
  take('home', 'a')
  expect(stopped).toEqual(['greedy 2'])
})

test('a slot that was given back is free, also when it is given back twice', () => {
  const { slots, stopped, take } = fourSlots()
  const end = take('a', '1')
  for (const zip of ['2', '3', '4']) take('a', zip)
  end()
  end()
  take('a', '5')
  expect([slots.taken(), stopped]).toEqual([4, []])
})

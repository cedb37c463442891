import { expect, test } from 'vitest'
import { createFairQueue, type Queued } from './fair-queue.ts'

interface Item extends Queued<'selfie' | 'photo'> {
  name: string
}

const photo = (owner: string, name: string): Item => ({ kind: 'photo', owner, name })
const selfie = (owner: string, name: string): Item => ({ kind: 'selfie', owner, name })
const anybody = () => true

function queueOf(...items: Item[]) {
  const queue = createFairQueue<'selfie' | 'photo', Item>(['selfie', 'photo'])
  for (const item of items) queue.add(item)
  return queue
}

function takeNames(queue: ReturnType<typeof queueOf>): string[] {
  const names: string[] = []
  for (let item = queue.take(anybody); item; item = queue.take(anybody)) names.push(item.name)
  return names
}

test('owners take turns, each in the order of its own items', () => {
  const queue = queueOf(
    photo('a', 'a1'),
    photo('a', 'a2'),
    photo('a', 'a3'),
    photo('b', 'b1'),
    photo('c', 'c1'),
  )
  expect(queue.take(anybody)).toMatchObject({ name: 'a1' })
  queue.add(photo('b', 'b2'))
  expect(takeNames(queue)).toEqual(['b1', 'c1', 'a2', 'b2', 'a3'])
})

test('the parts of an owner take turns, and give the owner no more turns', () => {
  const of = (owner: string, part: string, name: string): Item => ({ ...photo(owner, name), part })
  const queue = queueOf(
    of('a', 'x', 'ax1'),
    of('a', 'x', 'ax2'),
    of('a', 'x', 'ax3'),
    of('a', 'y', 'ay1'),
    of('b', 'z', 'bz1'),
    of('b', 'z', 'bz2'),
  )
  expect(takeNames(queue)).toEqual(['ax1', 'bz1', 'ay1', 'bz2', 'ax2', 'ax3'])
})

test('an owner who has used more time waits until the others have used about as much', () => {
  const used = new Map([['slow', 6_000]])
  const queue = createFairQueue<'selfie' | 'photo', Item>(
    ['selfie', 'photo'],
    (owner) => used.get(owner) ?? 0,
  )
  for (const name of ['s1', 's2']) queue.add(photo('slow', name))
  for (const name of ['q1', 'q2', 'q3']) queue.add(photo('quick', name))
  expect(queue.take(anybody)).toMatchObject({ name: 'q1' })
  used.set('quick', 5_000)
  expect(queue.take(anybody)).toMatchObject({ name: 'q2' })
  used.set('quick', 5_500)
  expect(takeNames(queue)).toEqual(['s1', 'q3', 's2'])
})

test('all of the first kind come before the second', () => {
  expect(takeNames(queueOf(photo('a', 'a1'), selfie('b', 'b1'), selfie('b', 'b2')))).toEqual([
    'b1',
    'b2',
    'a1',
  ])
})

test('passes over an owner who has to wait', () => {
  const queue = queueOf(selfie('a', 'a1'), photo('a', 'a2'), photo('b', 'b1'))
  const notA = (owner: string) => owner !== 'a'
  expect(queue.hasFor(notA)).toBe(true)
  expect(queue.take(notA)).toMatchObject({ name: 'b1' })
  expect(queue.hasFor(notA)).toBe(false)
  expect(queue.take(notA)).toBeUndefined()
  expect(takeNames(queue)).toEqual(['a1', 'a2'])
})

test('an item put first comes before those of all owners', () => {
  const queue = queueOf(photo('a', 'a1'), photo('b', 'b1'))
  queue.addFirst(photo('b', 'b0'))
  expect(takeNames(queue)).toEqual(['b0', 'a1', 'b1'])
})

test('an item can be removed, once', () => {
  const [first, second] = [photo('a', 'a1'), photo('a', 'a2')]
  const queue = queueOf(first, second)
  expect(queue.remove(first)).toBe(true)
  expect(queue.remove(first)).toBe(false)
  expect(queue.size()).toBe(1)
  expect(queue.takeAll()).toEqual([second])
  expect(queue.size()).toBe(0)
})

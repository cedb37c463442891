import { expect, test } from 'vitest'
import { combinePersons } from './combine-persons.ts'

const match = (photoId: string, faceId: string, similarity: number) => ({ photoId, faceId, similarity })
const NOTHING = { sure: [], possible: [] }

test('both persons are in a photo in which each has a face', () => {
  const ana = {
    sure: [match('p1', 'ana1', 99), match('p2', 'ana2', 95), match('p3', 'ana3', 90)],
    possible: [],
  }
  const ben = {
    sure: [match('p3', 'ben3', 98), match('p1', 'ben1', 85), match('p4', 'ben4', 84)],
    possible: [],
  }
  expect(combinePersons('both', ana, ben).sure).toEqual([match('p3', 'ana3', 90), match('p1', 'ana1', 85)])
})

test('a face that looks like both persons is one person', () => {
  const ana = { sure: [match('p1', 'face', 99)], possible: [] }
  const sister = { sure: [match('p1', 'face', 85)], possible: [] }
  expect(combinePersons('both', ana, sister).sure).toEqual([])
  expect(combinePersons('either', ana, sister).sure).toEqual([match('p1', 'face', 99)])
})

test('either person is in the photos of both, each once, best first', () => {
  const ana = { sure: [match('p1', 'ana1', 90), match('p2', 'ana2', 85)], possible: [] }
  const ben = { sure: [match('p2', 'ben2', 99), match('p3', 'ben3', 95)], possible: [] }
  expect(combinePersons('either', ana, ben).sure).toEqual([
    match('p2', 'ben2', 99),
    match('p3', 'ben3', 95),
    match('p1', 'ana1', 90),
  ])
})

test('a person who is in no photo adds nothing, and has no photo together with somebody', () => {
  const ana = { sure: [match('p1', 'ana1', 90)], possible: [] }
  for (const [one, other] of [
    [ana, NOTHING],
    [NOTHING, ana],
  ] as const) {
    expect(combinePersons('either', one, other)).toEqual(ana)
    expect(combinePersons('both', one, other)).toEqual(NOTHING)
  }
})

test('asks the first person only about faces whose photo would join the answer', () => {
  const ana = {
    sure: [match('p1', 'ana1', 90)],
    possible: [match('p2', 'may-be-ana', 70), match('p3', 'ben3', 65), match('p4', 'may-be-ana-too', 60)],
  }
  const ben = {
    sure: [match('p2', 'ben2', 95), match('p3', 'ben3', 90)],
    possible: [match('p5', 'ben5', 70)],
  }
  expect(combinePersons('both', ana, ben).possible).toEqual([match('p2', 'may-be-ana', 70)])
  expect(combinePersons('either', ana, ben).possible).toEqual([match('p4', 'may-be-ana-too', 60)])
})

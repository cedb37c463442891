import { expect, test } from 'vitest'
import { syntheticPeople } from '../../../testing/synthetic-people.ts'
import { distanceOf, embeddingOf, packQuery, unpackQuery } from './query-embedding.ts'

test('the embedding of one picture is the picture', () => {
  const picture = Float32Array.of(0.1, 0.2)
  expect(embeddingOf([picture])).toEqual({ centre: picture, spread: 0 })
})

test('the squared distances to the pictures are, on average, the one to the embedding and the spread', () => {
  const people = syntheticPeople()
  const person = people.person()
  const pictures = Array.from({ length: 5 }, () => people.pictureOf(person))
  const stranger = people.pictureOf(people.person())
  const { centre, spread } = embeddingOf(pictures)
  const mean = pictures.reduce((sum, picture) => sum + distanceOf(stranger, picture) ** 2, 0) / 5
  expect(distanceOf(stranger, centre) ** 2 + spread).toBeCloseTo(mean, 5)
})

const descriptor = (first: number) => Float32Array.from({ length: 128 }, (_, index) => (first + index) / 1000)

test('a person can be searched by the same pictures again', () => {
  const faces = [
    { strictness: 0, descriptor: descriptor(1) },
    { strictness: 0.25, descriptor: descriptor(-500) },
  ]
  const bytes = packQuery(faces)
  expect(bytes).toHaveLength(2 * 129 * 4)
  expect(unpackQuery(bytes)).toEqual(faces)
  const elsewhere = Buffer.concat([Buffer.of(0), bytes]).subarray(1)
  expect(unpackQuery(elsewhere)).toEqual(faces)
})

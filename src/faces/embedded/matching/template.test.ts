import { expect, test } from 'vitest'
import { syntheticPeople } from '../../../testing/synthetic-people.ts'
import { distanceOf, templateOf } from './template.ts'

test('the template of one picture is the picture', () => {
  const picture = Float32Array.of(0.1, 0.2)
  expect(templateOf([picture])).toEqual({ centre: picture, spread: 0 })
})

test('the squared distances to the pictures are, on average, the one to the template and the spread', () => {
  const people = syntheticPeople()
  const person = people.person()
  const pictures = Array.from({ length: 5 }, () => people.pictureOf(person))
  const stranger = people.pictureOf(people.person())
  const { centre, spread } = templateOf(pictures)
  const mean = pictures.reduce((sum, picture) => sum + distanceOf(stranger, picture) ** 2, 0) / 5
  expect(distanceOf(stranger, centre) ** 2 + spread).toBeCloseTo(mean, 5)
})

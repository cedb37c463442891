import { expect, test } from 'vitest'
import { packTemplate, unpackTemplate } from './person-template.ts'

const descriptor = (first: number) => Float32Array.from({ length: 128 }, (_, index) => (first + index) / 1000)

test('a person can be searched by the same pictures again', () => {
  const faces = [
    { strictness: 0, descriptor: descriptor(1) },
    { strictness: 0.25, descriptor: descriptor(-500) },
  ]
  const bytes = packTemplate(faces)
  expect(bytes).toHaveLength(2 * 129 * 4)
  expect(unpackTemplate(bytes)).toEqual(faces)
  const elsewhere = Buffer.concat([Buffer.of(0), bytes]).subarray(1)
  expect(unpackTemplate(elsewhere)).toEqual(faces)
})

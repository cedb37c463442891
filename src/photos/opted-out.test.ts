import { expect, test } from 'vitest'
import type { BoundingBox } from '../faces/face-index.ts'
import { matchFaces } from './opted-out.ts'

const at = (left: number, width = 0.1): { box: BoundingBox } => ({
  box: { left, top: 0.2, width, height: 0.2 },
})

test('a box finds the face that it covers, also when another engine draws it smaller', () => {
  const [own, other] = [at(0.1), at(0.6)]
  for (const drawn of [at(0.1), at(0.12), at(0.11, 0.07)])
    expect(matchFaces([own, other], [drawn])).toEqual(new Map([[own, drawn]]))
})

test('a box finds one face only, the one that it covers best', () => {
  const [own, cheek, box] = [at(0.1), at(0.14), at(0.1)]
  expect([...matchFaces([cheek, own], [box]).keys()]).toEqual([own])
})

test('two boxes at one place find two faces', () => {
  const [own, cheek] = [at(0.1), at(0.14)]
  expect(matchFaces([cheek, own], [at(0.1), at(0.1)]).size).toBe(2)
})

test('a person beside it is not found', () => {
  expect(matchFaces([at(0.18)], [at(0.1)]).size).toBe(0)
})

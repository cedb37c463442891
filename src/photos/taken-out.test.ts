import { expect, test } from 'vitest'
import type { BoundingBox } from '../faces/face-index.ts'
import { indexedFace } from '../testing/indexed-face.ts'
import { partFaces } from './taken-out.ts'

const faceAt = (left: number, width = 0.1) => ({ ...indexedFace(), box: box(left, width) })
const box = (left: number, width = 0.1): BoundingBox => ({ left, top: 0.2, width, height: 0.2 })

test('a box takes out the face that it covers, also when another engine draws it smaller', () => {
  const [own, other] = [faceAt(0.1), faceAt(0.6)]
  for (const drawn of [box(0.1), box(0.12), box(0.11, 0.07)])
    expect(partFaces([own, other], [drawn])).toEqual({ kept: [other], gone: [own] })
})

test('a box takes out one face only, the one that it covers best', () => {
  const [own, cheek] = [faceAt(0.1), faceAt(0.14)]
  expect(partFaces([cheek, own], [box(0.1)])).toEqual({ kept: [cheek], gone: [own] })
})

test('a person beside it stays', () => {
  const beside = faceAt(0.18)
  expect(partFaces([beside], [box(0.1)])).toEqual({ kept: [beside], gone: [] })
})

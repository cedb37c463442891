import { expect, test } from 'vitest'
import { randomNumbers } from '../../testing/rekognition/faults.ts'
import type { StoredFace } from './descriptor-store.ts'
import { createFaceSet, DESCRIPTOR_LENGTH } from './matcher.ts'
import { similarityOfDistance } from './similarity.ts'

/** The same numbers from −1 to 1 in every run. */
function signedNumbers(seed: number): () => number {
  const next = randomNumbers(seed)
  return () => 2 * next() - 1
}

/** Faces at every distance, from almost 0 to far away. */
function scatteredFaces(count: number, around: Float32Array): StoredFace[] {
  const next = signedNumbers(1)
  return Array.from({ length: count }, (_, index) => ({
    faceId: `face ${index}`,
    photoId: `photo ${index >> 2}`,
    descriptor: around.map((value) => value + next() * 0.15 * (index / count)),
  }))
}

const probe = new Float32Array(DESCRIPTOR_LENGTH).map(signedNumbers(2))
const faces = scatteredFaces(3_000, probe)

function bruteForce(threshold: number) {
  return faces
    .map(({ faceId, photoId, descriptor }) => {
      let sum = 0
      for (let i = 0; i < DESCRIPTOR_LENGTH; i++) sum += (descriptor[i]! - probe[i]!) ** 2
      return { faceId, photoId, similarity: similarityOfDistance(Math.sqrt(sum)) }
    })
    .filter((match) => match.similarity >= threshold)
    .sort((one, other) => other.similarity - one.similarity)
}

test.each([0, 1, 50, 80, 99, 100])('finds at %i exactly what comparing everything finds', (threshold) => {
  const set = createFaceSet()
  for (let start = 0; start < faces.length; start += 700) set.add(faces.slice(start, start + 700))
  expect(set.size).toBe(faces.length)
  const expected = bruteForce(threshold)
  const found = set.match(probe, threshold)
  expect(found.map((match) => match.faceId)).toEqual(expected.map((match) => match.faceId))
  for (const [place, match] of found.entries()) {
    expect(match.photoId).toBe(expected[place]!.photoId)
    expect(match.similarity).toBeCloseTo(expected[place]!.similarity, 9)
  }
  if (threshold === 80) expect(found.length).toBeGreaterThan(100)
})

test('a face is a match with itself at 100', () => {
  const set = createFaceSet()
  set.add([{ faceId: 'face', photoId: 'photo', descriptor: probe }])
  expect(set.match(probe, 100)).toEqual([{ faceId: 'face', photoId: 'photo', similarity: 100 }])
})

test('an empty set has no match', () => {
  expect(createFaceSet().match(probe, 0)).toEqual([])
})

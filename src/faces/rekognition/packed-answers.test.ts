import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { packAnswers, unpackAnswers } from './packed-answers.ts'

const faces = Array.from({ length: 300 }, (_, place) => ({
  faceId: randomUUID(),
  photoId: randomUUID(),
  similarity: 99.123456 - place / 10,
}))
const known = (some: typeof faces) =>
  some.map(({ faceId, similarity }) => ({ faceId, similarity: expect.closeTo(similarity, 4) }))

test('each selfie keeps what it is similar to, also when that is nothing', () => {
  const selfies = [faces.slice(0, 2), [], faces.slice(1, 4)]
  expect(unpackAnswers(packAnswers(selfies)!)).toEqual(selfies.map(known))
  expect(packAnswers([[], []])).toBeUndefined()
})

test('the best 250 faces are kept, in few bytes', () => {
  const packed = packAnswers([faces.toReversed(), faces, faces])!
  for (const selfie of unpackAnswers(packed)) expect(selfie).toEqual(known(faces.slice(0, 250)))
  expect(packed.length).toBeLessThan(9_000)
})

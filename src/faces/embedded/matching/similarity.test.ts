import { expect, test } from 'vitest'
import { distanceOfSimilarity, similarityOfDistance } from './similarity.ts'

test('falls steadily from 100 to 0', () => {
  let former = similarityOfDistance(0)
  expect(former).toBe(100)
  for (let distance = 0.001; distance < 1.2; distance += 0.001) {
    const similarity = similarityOfDistance(distance)
    expect(similarity).toBeLessThan(former)
    expect(similarity).toBeGreaterThanOrEqual(0)
    former = similarity
  }
  expect(similarityOfDistance(5)).toBe(0)
})

test('80, the default threshold, is between the measured distances of one person and of different people', () => {
  expect(similarityOfDistance(0.44)).toBeGreaterThan(80)
  expect(similarityOfDistance(0.55)).toBeLessThan(80)
})

test('converts in both directions', () => {
  for (let similarity = 0.5; similarity <= 100; similarity += 0.5)
    expect(similarityOfDistance(distanceOfSimilarity(similarity))).toBeCloseTo(similarity, 9)
  expect(distanceOfSimilarity(0)).toBe(Number.POSITIVE_INFINITY)
})

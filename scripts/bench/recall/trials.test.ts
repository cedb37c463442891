import { expect, test } from 'vitest'
import { closestStrangers, type Picture, searchWithin, tallyOf } from './trials.ts'

/** A picture of faces that are at these places on a line. */
function picture(person: string, file: string, ...places: number[]): Picture {
  const name = `${person}/${file}`
  return {
    person,
    name,
    faces: places.map((place) => ({ photoId: name, descriptor: Float32Array.of(place) })),
  }
}

const ADA = [picture('Ada', '1', 0), picture('Ada', '2', 0.4), picture('Ada', '3', 0.7)]
const BEN = [picture('Ben', '1', 2), picture('Ben', '2', 2.9, 0.9)]

test('each picture is the selfie once, and all others are the album', async () => {
  const [ada, ben] = await tallyOf([...ADA, ...BEN], searchWithin(0.5))
  // 1–2, 2–1, 2–3 and 3–2; the second face of Ben's second picture is near Ada's last one.
  expect(ada).toEqual({ person: 'Ada', found: { hits: 4, of: 6 }, wrong: { hits: 2, of: 6 } })
  expect(ben).toEqual({ person: 'Ben', found: { hits: 0, of: 2 }, wrong: { hits: 0, of: 6 } })
})

test('searches by the largest face of a selfie', async () => {
  // The second face of the first picture is that of the second picture.
  const [ben] = await tallyOf([picture('Ben', '1', 2, 9), picture('Ben', '2', 9)], searchWithin(0.5))
  expect(ben!.found).toEqual({ hits: 1, of: 2 })
})

test('names the closest pictures of each pair of people, the closest first', () => {
  const cleo = picture('Cleo', '1', 3.2)
  const all = [...ADA, ...BEN, cleo]
  expect(closestStrangers(all, 10)).toEqual([
    { selfie: 'Ada/3', photo: 'Ben/2', distance: expect.closeTo(0.2, 5) },
    { selfie: 'Ben/2', photo: 'Cleo/1', distance: expect.closeTo(0.3, 5) },
    { selfie: 'Ada/3', photo: 'Cleo/1', distance: expect.closeTo(2.5, 5) },
  ])
  expect(closestStrangers(all, 1)).toHaveLength(1)
})

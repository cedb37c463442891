import { describe, expect, test } from 'vitest'
import { SELFIE_ADVICE } from '../../../contract/selfie-advice.ts'
import { syntheticPeople } from '../../../testing/synthetic-people.ts'
import type { UnindexedReason } from '../../face-index.ts'
import type { DescribedSelfie } from '../networks/engine.ts'
import { seenIn } from './seen-selfies.ts'

const people = syntheticPeople(5)
const [ada, ben] = [people.person(), people.person()]
const BOX = { left: 0.1, top: 0.2, width: 0.3, height: 0.4 }

function selfieOf(person: Float32Array, side = 200, sharpness = 60): DescribedSelfie {
  const quality = { sharpness, brightness: 50, yaw: 0, pitch: 0, roll: 0 }
  return {
    faces: [{ box: BOX, side }],
    searched: 0,
    described: { box: BOX, confidence: 99, quality, descriptor: people.pictureOf(person) },
    unindexed: [],
  }
}

function nobody(...reasons: UnindexedReason[]): DescribedSelfie {
  const unindexed = reasons.map((reason) => ({ reasons: [reason], box: BOX }))
  return { faces: [], searched: 0, described: undefined, unindexed, pictureBrightness: 50 }
}

const inTheDark = (): DescribedSelfie => ({ ...nobody(), pictureBrightness: 5 })

describe('selfies', () => {
  test('of one person are all searched by', () => {
    const selfies = [selfieOf(ada), selfieOf(ada), selfieOf(ada)]
    const { queries, seen } = seenIn(selfies)
    expect(queries.map(({ descriptor }) => descriptor)).toEqual(
      selfies.map(({ described }) => described!.descriptor),
    )
    expect(seen).toEqual(
      selfies.map(() => ({ faces: [{ box: BOX }], searched: 0, problems: [], isSomebodyElse: false })),
    )
  })

  test('of somebody else are left out, and named', () => {
    const selfies = [selfieOf(ada), selfieOf(ben), selfieOf(ada)]
    const { queries, seen } = seenIn(selfies)
    expect(queries.map(({ descriptor }) => descriptor)).toEqual(
      [0, 2].map((place) => selfies[place]!.described!.descriptor),
    )
    expect(seen.map(({ isSomebodyElse }) => isSomebodyElse)).toEqual([false, true, false])
  })

  test('without a face are named, and the first one with a face says who the person is', () => {
    const { queries, seen } = seenIn([nobody(), selfieOf(ben), selfieOf(ada)])
    expect(queries).toHaveLength(1)
    expect(seen.map(({ problems, isSomebodyElse }) => [problems, isSomebodyElse])).toEqual([
      [['NO_FACE'], false],
      [[], false],
      [[], true],
    ])
  })

  test('that are blurred or far away must be closer to what they find', () => {
    const { queries } = seenIn([selfieOf(ada), selfieOf(ada, 31), selfieOf(ada, 200, 10)])
    expect(queries.map(({ strictness }) => strictness)).toEqual([0, 0.04, 0.04])
  })

  test('of nobody are refused with what to do better', () => {
    expect(() => seenIn([nobody(), nobody('LOW_FACE_QUALITY')])).toThrow(SELFIE_ADVICE.NO_FACE)
    expect(() => seenIn([nobody(), nobody('SMALL_BOUNDING_BOX')])).toThrow(SELFIE_ADVICE.TOO_FAR_AWAY)
    expect(() => seenIn([inTheDark(), inTheDark()])).toThrow(SELFIE_ADVICE.TOO_DARK)
    expect(() => seenIn([inTheDark(), nobody()])).toThrow(SELFIE_ADVICE.NO_FACE)
  })
})

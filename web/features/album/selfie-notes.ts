import type { SearchedSelfie } from '../../../src/contract/search.ts'
import { SELFIE_ADVICE, type SelfieProblem } from '../../../src/contract/selfie-advice.ts'
import { selfieNotes as texts } from '../../../src/texts/english/search.ts'

/** Which selfies were left out of a search, and why: a sentence for each. */
export function leftOut(selfies: readonly SearchedSelfie[]): string[] {
  return selfies.flatMap(({ faces, isSomebodyElse }, place) => {
    if (isSomebodyElse) return [texts.somebodyElse(place)]
    return faces.length === 0 && selfies.length > 1 ? [texts.noFace(place)] : []
  })
}

/** What would make a search with these selfies better. Undefined when one of them is good.
 *
 *  When there are several faces in one, the visitor chooses theirs: that is no problem. */
export function adviceOn(selfies: readonly SearchedSelfie[]): string | undefined {
  const used = selfies.filter(({ faces, isSomebodyElse }) => faces.length > 0 && !isSomebodyElse)
  const problems = used.map((selfie) => selfie.problems.find((problem) => problem !== 'SEVERAL_FACES'))
  const isPoor = (problem: SelfieProblem | undefined) => problem !== undefined
  const [first] = problems
  return first && problems.every(isPoor) ? SELFIE_ADVICE[first] : undefined
}

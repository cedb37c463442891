import type { SearchedSelfie } from '../../../src/contract/search.ts'
import { SELFIE_ADVICE, type SelfieProblem } from '../../../src/contract/wording.ts'

const ORDINALS = ['first', 'second', 'third']

/** Which selfies were left out of a search, and why: a sentence for each. */
export function leftOut(selfies: readonly SearchedSelfie[]): string[] {
  return selfies.flatMap(({ faces, isSomebodyElse }, place) => {
    const name = `Your ${ORDINALS[place]} selfie`
    if (isSomebodyElse) return [`${name} shows somebody else than the first one. It was left out.`]
    return faces.length === 0 && selfies.length > 1 ? [`${name} shows no face. It was left out.`] : []
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

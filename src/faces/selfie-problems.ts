import type { SelfieProblem } from '../contract/selfie-advice.ts'

/** Faces of a selfie that a visitor can choose from: the largest ones. Aligning so many takes the embedded engine 60 ms. */
export const MOST_CHOICES = 24

/** A face that is smaller than this part of the searched one is somebody in the background. */
const FOREGROUND = 0.5

/** What is wrong with a face. */
export interface FaceFaults {
  isFar: boolean
  isTurned: boolean
  isDark: boolean
  isBright: boolean
  isBlurred: boolean
}

/** What could be better about a selfie.
 *  @param sides of its faces
 *  @param searched the place of the one that is searched by
 *  @returns what a visitor should change first comes first; empty for a good selfie */
export function selfieProblems(
  sides: readonly number[],
  searched: number,
  { isFar, isTurned, isDark, isBright, isBlurred }: FaceFaults,
): SelfieProblem[] {
  const least = FOREGROUND * sides[searched]!
  const problems: [SelfieProblem, boolean][] = [
    ['SEVERAL_FACES', sides.some((side, place) => place !== searched && side >= least)],
    ['TOO_FAR_AWAY', isFar],
    ['TURNED_AWAY', isTurned],
    ['TOO_DARK', isDark],
    ['TOO_BRIGHT', isBright],
    ['BLURRED', isBlurred],
  ]
  return problems.filter(([, isTrue]) => isTrue).map(([problem]) => problem)
}

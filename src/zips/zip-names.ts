import { shortName } from '../photos/picture-name.ts'

/** A number for each name, 1 where the name is not there already. Numbered with them, all names differ: "beach.jpg",
 *  "beach (2).jpg". Windows and macOS do not distinguish upper and lower case. */
export function numbersOf(names: string[]): number[] {
  const taken = new Set<string>()
  /** The last number that each name got, so that many equal names are quick. */
  const last = new Map<string, number>()
  return names.map((name) => {
    const folded = fold(name)
    let number = last.has(folded) ? last.get(folded)! + 1 : 1
    while (taken.has(fold(numbered(name, number)))) number++
    last.set(folded, number)
    taken.add(fold(numbered(name, number)))
    return number
  })
}

export const numbered = (name: string, number: number) =>
  number === 1 ? name : shortName(name, ` (${number})`)

const fold = (name: string) => name.normalize('NFC').toLowerCase()

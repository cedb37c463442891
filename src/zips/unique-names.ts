import { extname } from 'node:path'

/** The names with a number where one is there already: "beach.jpg", "beach (2).jpg". Windows and macOS do not
 *  distinguish upper and lower case. */
export function uniqueNames(names: string[]): string[] {
  const taken = new Set<string>()
  /** The last number that each name got, so that many equal names are quick. */
  const numbers = new Map<string, number>()
  return names.map((name) => {
    const folded = fold(name)
    let number = numbers.get(folded) ?? 1
    let unique = number === 1 ? name : numbered(name, ++number)
    while (taken.has(fold(unique))) unique = numbered(name, ++number)
    numbers.set(folded, number)
    taken.add(fold(unique))
    return unique
  })
}

const fold = (name: string) => name.normalize('NFC').toLowerCase()

function numbered(name: string, number: number): string {
  const extension = extname(name)
  return `${name.slice(0, name.length - extension.length)} (${number})${extension}`
}

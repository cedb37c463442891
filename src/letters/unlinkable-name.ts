/** Characters of a name in a letter to a stranger. */
const MAX_CHARACTERS = 40
/** Mail programs make a link of a phone number, and the shortest of those have seven digits. */
const MAX_DIGITS = 6
/** Letters, digits and apostrophes. The other signs are dropped at both ends. */
const FROM_FIRST_TO_LAST_LETTER = /[^ ,&-](?:.*[^ ,&-])?/s

/** A name that no mail program turns into a link, in one short line. It is for a letter to a person who may not know
 *  who chose the name.
 *
 *  Mail programs find addresses such as `evil.example`, `//evil`, `me@evil.example` and `tel:1`, in any script, and
 *  some of them see through invisible characters in between. So only letters, digits, spaces and four harmless signs
 *  stay. The compatibility forms of all others (NFKC) become plain first, for example the sign for `a/c`.
 *  @returns '' when nothing is left */
export function unlinkableName(name: string): string {
  const words = name
    .toWellFormed()
    .normalize('NFKC')
    // Some letters are joined by invisible characters. A space there would cut a word in two.
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replaceAll(/[^\p{L}\p{M}\p{Nd},'’&-]+/gu, ' ')
  const digits = words.match(/\p{Nd}/gu) ?? []
  const safe = digits.length > MAX_DIGITS ? words.replaceAll(/\p{Nd}+/gu, ' ') : words
  const [inner = ''] = FROM_FIRST_TO_LAST_LETTER.exec(safe.replaceAll(/ +/g, ' ')) ?? []
  const characters = [...inner]
  if (characters.length <= MAX_CHARACTERS) return inner
  const first = characters.slice(0, MAX_CHARACTERS - 1).join('')
  return `${first.trimEnd()}…`
}

/** A sentence with links or other elements in it: its parts in the order in which the language needs them. */
export type Sentence<Part> = readonly (string | Part)[]

/** Tag of a template: `sentence\`You can also browse the ${library}.\``. */
export function sentence<Part>(
  [first = '', ...texts]: TemplateStringsArray,
  ...parts: (string | Part)[]
): Sentence<Part> {
  return [first, ...parts.flatMap((part, index) => [part, texts[index]!])]
}

/** Numbers in texts. The web app writes them as the browser's settings say. */
const DIGITS = /* @__PURE__ */ new Intl.NumberFormat()

/** '2,000' or '2.000'. */
export const digits = (count: number) => DIGITS.format(count)

/** A text for each plural form that a language has. */
export type PluralForms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }

/** The form for a count, by the rules of a language.
 *  @param language its code, such as 'en' */
export function pluralOf(language: string, count: number, forms: PluralForms): string {
  return forms[new Intl.PluralRules(language).select(count)] ?? forms.other
}

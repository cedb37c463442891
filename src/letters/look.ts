/** The site's colours (web/styles.css) as mail programs know them: in hex, without variables. */

/** The same in the light and in the dark. */
export const ACCENT = 'background-color:#fab130;color:#23190a'

/** Of each part of a letter: in the light, and in the dark. */
const LOOKS = {
  page: { 'background-color': ['#fbf9f6', '#12100d'], color: ['#1e1a13', '#f2f0ec'] },
  card: { 'background-color': ['#ffffff', '#1c1915'], 'border-color': ['#e0ded8', '#322e2a'] },
  sunken: { 'background-color': ['#f2f0ec', '#25221e'], 'border-color': ['#e0ded8', '#322e2a'] },
  soft: { color: ['#57524a', '#b6b2ac'] },
  quiet: { color: ['#1e1a13', '#f2f0ec'], 'border-color': ['#8a857e', '#7e7a73'] },
} satisfies Record<string, Record<string, [light: string, dark: string]>>

export const FONT =
  '16px/1.55 Figtree,ui-sans-serif,system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif'

/** Attributes of an element with the light colours. In the dark, a program that can choose takes those of the class.
 *  @param more further declarations */
export function colours(name: keyof typeof LOOKS, more: string): string {
  const light = Object.entries(LOOKS[name]).map(([property, [colour]]) => `${property}:${colour}`)
  return `class="${name}" style="${light.join(';')};${more}"`
}

/** For the head of a letter. The colours of elements are in their `style`, so those for the dark have to be `!important`. */
export const SITE_STYLE = `<style>a{color:inherit}@media (prefers-color-scheme:dark){${Object.entries(LOOKS)
  .map(([name, look]) => {
    const dark = Object.entries(look).map(([property, [, colour]]) => `${property}:${colour}!important`)
    return `.${name}{${dark.join(';')}}`
  })
  .join('')}}</style>`

/** The site's colours (web/styles.css) as mail programs know them: in hex, without variables. */

export const LIGHT = {
  paper: '#fbf9f6',
  surface: '#ffffff',
  sunken: '#f2f0ec',
  line: '#e0ded8',
  'line-strong': '#8a857e',
  ink: '#1e1a13',
  'ink-soft': '#57524a',
  accent: '#fab130',
  'on-accent': '#23190a',
}

/** The accent is the same. */
export const DARK: Omit<typeof LIGHT, 'accent' | 'on-accent'> = {
  paper: '#12100d',
  surface: '#1c1915',
  sunken: '#25221e',
  line: '#322e2a',
  'line-strong': '#7e7a73',
  ink: '#f2f0ec',
  'ink-soft': '#b6b2ac',
}

export const FONT =
  '16px/1.55 Figtree,ui-sans-serif,system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif'

const rulesOf = (palette: typeof DARK) => ({
  page: { 'background-color': palette.paper, color: palette.ink },
  card: { 'background-color': palette.surface, 'border-color': palette.line },
  sunken: { 'background-color': palette.sunken, 'border-color': palette.line },
  soft: { color: palette['ink-soft'] },
  quiet: { color: palette.ink, 'border-color': palette['line-strong'] },
})
const LIGHT_RULES = rulesOf(LIGHT)
const DARK_RULES = rulesOf(DARK)

const declarations = (rule: object, after = '') =>
  Object.entries(rule)
    .map(([name, value]) => `${name}:${value}${after}`)
    .join(';')

/** Attributes of an element with the light colours. In the dark, a program that can choose takes those of the class.
 *  @param more further declarations */
export const colours = (name: keyof typeof DARK_RULES, more: string) =>
  `class="${name}" style="${declarations(LIGHT_RULES[name])};${more}"`

/** For the head of a letter. The colours of elements are in their `style`, so those for the dark have to be `!important`. */
export const SITE_STYLE = [
  '<style>',
  'a{color:inherit}',
  '@media (prefers-color-scheme:dark){',
  ...Object.entries(DARK_RULES).map(([name, rule]) => `.${name}{${declarations(rule, '!important')}}`),
  '}',
  '</style>',
].join('')

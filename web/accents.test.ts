import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ACCENT_NAMES, ACCENTS } from '../src/contract/albums/accents.ts'

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')
const [accents, styles] = [read('accents.css'), read('styles.css')]
const ON_ACCENT = /--color-on-accent: light-dark\((#\w+), (#\w+)\)/.exec(accents)!.slice(1)

type Lab = readonly [lightness: number, a: number, b: number]

/** Oklab, as https://bottosson.github.io/posts/oklab has it.
 *  @param hex with three or six digits */
function labOf(hex: string): Lab {
  const digits = hex.length === 4 ? [...hex.slice(1)].map((one) => one + one) : hex.slice(1).match(/../g)!
  const [red, green, blue] = digits.map((two) => {
    const part = Number.parseInt(two, 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]
}

/** A token of styles.css. @param theme 0 for light pages, 1 for dark ones */
function tokenOf(name: string, theme: 0 | 1): Lab {
  const value = new RegExp(`--color-${name}: (.*);`).exec(styles)![1]!
  const both = [...value.matchAll(/oklch\(([\d. ]+)\)/g)]
  const [lightness, chroma, hue] = both[theme]![1]!.split(' ').map(Number) as [number, number, number]
  const angle = (hue * Math.PI) / 180
  return [lightness, chroma * Math.cos(angle), chroma * Math.sin(angle)]
}

function luminanceOf([lightness, a, b]: Lab): number {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return -0.0405801784 * l + 1.1122568696 * m - 0.0716766787 * s
}

/** The contrast of WCAG 2. */
function contrast(one: Lab, other: Lab): number {
  const [dark, light] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

/** As color-mix() does in oklab. */
const mixed = (one: Lab, other: Lab, share: number) =>
  one.map((part, index) => part * share + other[index]! * (1 - share)) as unknown as Lab

test('the contrast is that of WCAG', () => {
  expect(contrast(labOf('#fff'), labOf('#000'))).toBeCloseTo(21, 2)
  expect(contrast(labOf('#fff'), labOf('#767676'))).toBeCloseTo(4.54, 2)
})

test.each(ACCENT_NAMES)('%s can be read on light and on dark pages, and so can text on it', (name) => {
  const both = ACCENTS[name]
  // Inframe's own is no colour of text.
  if (!both) return expect(name).toBe('marigold')
  expect(ON_ACCENT).toHaveLength(2)
  for (const theme of [0, 1] as const) {
    const accent = labOf(both[theme])
    const surface = tokenOf('surface', theme)
    const wash = mixed(accent, surface, 0.14)
    for (const ground of [tokenOf('paper', theme), surface, tokenOf('sunken', theme)])
      expect(contrast(accent, ground), `theme ${theme}`).toBeGreaterThanOrEqual(4.5)
    const ink = tokenOf('ink', theme)
    expect(contrast(ink, wash), `ink on the wash in theme ${theme}`).toBeGreaterThanOrEqual(4.5)
    for (const button of [accent, mixed(accent, ink, 0.82)])
      expect(contrast(labOf(ON_ACCENT[theme]!), button), `text in theme ${theme}`).toBeGreaterThanOrEqual(4.5)
  }
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { htmlLetter } from './letter-parts.ts'
import { colours, DARK, LIGHT } from './site-look.ts'

const STYLES = readFileSync(join(import.meta.dirname, '../../web/styles.css'), 'utf8')
const [light, dark] = STYLES.split('prefers-color-scheme: dark') as [string, string]

test.each(Object.entries(LIGHT))("the light %s of letters is the site's: %s", (name, hex) => {
  expect(siteColour(light, name)).toBe(hex)
})

test.each(Object.entries(DARK))("the dark %s of letters is the site's: %s", (name, hex) => {
  expect(siteColour(dark, name)).toBe(hex)
})

test('a letter is light where its elements say so, and dark where the mail program asks for that', () => {
  const html = htmlLetter('Ready', [`<p ${colours('soft', 'margin:0')}>Later</p>`])
  expect(html).toContain(`<p class="soft" style="color:${LIGHT['ink-soft']};margin:0">`)
  const [, darkRules] = html.split('@media (prefers-color-scheme:dark){') as [string, string]
  for (const rule of [
    `.page{background-color:${DARK.paper}!important;color:${DARK.ink}!important}`,
    `.card{background-color:${DARK.surface}!important;`,
    `.soft{color:${DARK['ink-soft']}!important}`,
  ])
    expect(darkRules).toContain(rule)
  expect(html).toContain('<meta name="color-scheme" content="light dark">')
})

function siteColour(css: string, name: string): string {
  const found = new RegExp(`--color-${name}: oklch\\(([\\d.]+) ([\\d.]+) ([\\d.]+)\\)`).exec(css)
  return hexOf(...(found!.slice(1).map(Number) as [number, number, number]))
}

/** Oklch to sRGB (CSS Color 4, §10 and §18). */
function hexOf(lightness: number, chroma: number, hue: number): string {
  const a = chroma * Math.cos((hue * Math.PI) / 180)
  const b = chroma * Math.sin((hue * Math.PI) / 180)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
  return `#${linear.map(byteOf).join('')}`
}

function byteOf(linear: number): string {
  const value = linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055
  return Math.min(255, Math.max(0, Math.round(value * 255)))
    .toString(16)
    .padStart(2, '0')
}

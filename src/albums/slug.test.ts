import { describe, expect, test } from 'vitest'
import { slugCandidate, slugOf } from './slug.ts'

describe('a slug', () => {
  test.each([
    ['My Summer Wedding, 2025', 'my-summer-wedding-2025'],
    ["Anna & Bob's party!", 'anna-bobs-party'],
    ['Über die Brücke', 'uber-die-brucke'],
    ['Свадьба', 'svadba'],
    ['../../etc/passwd', 'etc-passwd'],
    ['100% fun', '100-fun'],
    ['   ', ''],
    ['***', ''],
  ])('of %j is %j', (name, slug) => {
    expect(slugOf(name)).toBe(slug)
  })

  test('of any script is url-safe and not empty', () => {
    for (const name of ['結婚式', 'حفل', '🎉', 'ยินดี', 'חתונה', '\u{10ffff}'])
      expect(slugCandidate(name, 0)).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
  })

  test('of a long name is short and does not end in a dash', () => {
    const slug = slugOf(`${'word '.repeat(40)}`)
    expect(slug.length).toBeLessThanOrEqual(60)
    expect(slug).toMatch(/[a-z]$/)
  })

  test('gets another suffix at each further attempt', () => {
    const candidates = new Set(Array.from({ length: 20 }, (_, attempt) => slugCandidate('Party', attempt)))
    expect(candidates.size).toBeGreaterThan(15)
    expect(candidates).toContain('party')
  })
})

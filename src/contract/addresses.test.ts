import { expect, test } from 'vitest'
import { emailFault, plainEmailAddress } from './addresses.ts'

test.each([
  ['mira@example.com', 'mira@example.com'],
  [' Mira.O+photos@Example.COM ', 'Mira.O+photos@example.com'],
  ['\u202amira@example.com\u202c', 'mira@example.com'],
  ['mira\u200b@exam\u00adple.com\ufeff', 'mira@example.com'],
  ['info@müller.de', 'info@xn--mller-kva.de'],
  ['post@пример.рф', 'post@xn--e1afmkfd.xn--p1ai'],
  ['a@ｅｘａｍｐｌｅ.com', 'a@example.com'],
  ["o'brien_x-1@mail.example.co.uk", "o'brien_x-1@mail.example.co.uk"],
])('%s is taken as %s', (entered, plain) => {
  expect(plainEmailAddress(entered)).toBe(plain)
  expect(emailFault(plain)).toBeUndefined()
})

test.each([
  ['', 'valid'],
  ['mira', 'valid'],
  ['@example.com', 'valid'],
  ['mira@example', 'no domain'],
  ['mira@192.168.0.1', 'no domain'],
  ['mira@-example.com', 'no domain'],
  ['jörg@example.com', '"ö"'],
  ['mi ra@example.com', 'a blank'],
  ['mira;eva@example.com', '";"'],
  ['"mira"@example.com', '"'],
  ['.mira@example.com', 'a dot'],
  ['mi..ra@example.com', 'a dot'],
  [`${'x'.repeat(65)}@example.com`, '64'],
])('%s is refused, and the reason names what is wrong', (entered, reason) => {
  expect(emailFault(plainEmailAddress(entered))).toContain(reason)
})

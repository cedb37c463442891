import { expect, test } from 'vitest'
import { loadConfig } from './config.ts'

test.each([
  ['https://photos.example.com', 'https://photos.example.com'],
  ['https://Photos.Example.com:443/', 'https://photos.example.com'],
  ['https://müller.de', 'https://xn--mller-kva.de'],
  ['http://localhost:3000', 'http://localhost:3000'],
  ['http://[::1]:3000/', 'http://[::1]:3000'],
  ['http://my_server', 'http://my_server'],
])('PUBLIC_URL=%s is taken as browsers write it', (PUBLIC_URL, publicUrl) => {
  expect(loadConfig({ PUBLIC_URL }).publicUrl).toBe(publicUrl)
})

test.each([
  'https://example.com/party',
  'https://example.com//',
  'https://example.com/?a=b',
  'https://example.com?',
  'https://example.com/#x',
  'https://user:pw@example.com',
  'https://user@example.com',
  'https://*.example.com',
  'https://*',
  'https://a.example.com,b.example.com',
  'https://a.example.com,https://b.example.com',
])('PUBLIC_URL=%s is refused in one line', (PUBLIC_URL) => {
  expect(() => loadConfig({ PUBLIC_URL })).toThrow(/^PUBLIC_URL: must be only scheme, host and port.*$/)
})

test.each([
  'photos@example.com',
  'Inframe <photos@example.com>',
  'Weddings, Inc. <photos@example.com>',
  '"Weddings, Inc." <photos@example.com>',
  'Fotos <fotos@müller.de>',
  'Inframe <inframe@localhost>',
])('MAIL_FROM=%s is one sender', (MAIL_FROM) => {
  expect(loadConfig({ MAIL_FROM }).mailFrom).toBe(MAIL_FROM)
})

test.each([
  'photos.example.com',
  'not an address',
  'a@example.com, b@example.com',
  'a@example.com; b@example.com',
  'Guests: a@example.com;',
  'Guests: a@example.com, b@example.com;',
  'Inframe <>',
  'a@b@example.com',
  'a@example..com',
  '@example.com',
  'a@example.com b@example.com',
  'Inframe <a@exam ple.com>',
])('MAIL_FROM=%s is refused in one line', (MAIL_FROM) => {
  expect(() => loadConfig({ MAIL_FROM })).toThrow(/^MAIL_FROM: must be one address.*$/)
})

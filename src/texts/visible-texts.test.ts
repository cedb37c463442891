// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings with them are code.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { visibleTexts } from '../testing/visible-texts.ts'

const ROOT = join(import.meta.dirname, '../..')

/** What is the same in every language, or for no reader. */
const ALLOWED = new Set([
  'web/site-frame.tsx Inframe',
  'web/features/share/share-card.tsx WhatsApp',
  'web/features/share/share-card.tsx LinkedIn',
  // Part of an address.
  'web/features/album-list/album-card.tsx /album/',
  // What browsers, search engines and Google Analytics know by these names.
  'web/features/share/share-card.tsx noopener noreferrer',
  'web/lib/page-head.ts noindex, nofollow',
  'web/lib/analytics.ts Photo Downloaded',
  'web/lib/analytics.ts Inframe',
  // The service's advice, which is cut off.
  'web/features/upload/patience.ts Please try again',
  // Names of elements and of errors.
  'web/features/photos/photo-thumb.tsx a, button',
  'web/features/photos/take-home/use-save.ts AbortError',
  'web/features/photos/take-home/use-save.ts NotAllowedError',
  // Names of what the browser keeps.
  'web/lib/guest-names.ts remembered',
  'web/lib/guest-names.ts letters',
  'web/lib/guest-names.ts search',
  'web/features/album/use-browse.ts all photos',
  'web/features/selfie/use-results.ts photos of a submission',
])
/** The names of apps. */
const APPS = 'web/features/album/in-app-browser.ts'

const FILES = globSync(['web/**/*.{ts,tsx}', 'src/mail/*letter*.ts'], { cwd: ROOT }).filter(
  (file) => !/\.test\.tsx?$|^web\/(dist|e2e|testing)/.test(file) && file !== APPS,
)

/** `file:line text` of each text that is not in the tables. */
const textsOutside = (file: string, code: string) =>
  visibleTexts(code)
    .filter(({ text }) => !ALLOWED.has(`${file} ${text}`))
    .map(({ line, text }) => `${file}:${line} ${text}`)

test('all texts of the web app and of the letters are in the tables of texts', () => {
  expect(FILES.length).toBeGreaterThan(4)
  expect(FILES.flatMap((file) => textsOutside(file, readFileSync(join(ROOT, file), 'utf8')))).toEqual([])
})

test.each([
  '<p>Not in the table</p>',
  '<p>{count} of {total}</p>',
  '<img alt="A face" />',
  '<button aria-label={`Remove ${name}`} />',
  '<Field label="Email Address" />',
  "toast({ title: 'Saved' })",
  "throw new RequestFailure('No answer came', 0)",
  "const empty = isOwner ? 'upload your photos' : null",
  'const counted = `${count} of them`',
  'const html = `<p style="margin:0">Link: ${link}</p>`',
])('the search finds the text in %s', (code) => {
  expect(visibleTexts(code)).toHaveLength(1)
})

test.each([
  '<p className="flex items-center">{texts.title}</p>',
  '<input id={`${id}-text`} type="checkbox" />',
  "const LOOK = 'grid grid-cols-1 gap-4'",
  "if (event.key === 'Escape') close()",
  "throw new Error('The store did not open')",
  "import { thing } from './some file.ts'",
])('the search finds no text in %s', (code) => {
  expect(visibleTexts(code)).toEqual([])
})

import { expect } from 'vitest'
import { enterAsOwner } from './album-visits.ts'
import { siteTest } from './site-test.ts'
import { sees } from './visitor.ts'

const test = siteTest({ work: false }).extend('album', { scope: 'file' }, ({ site }) =>
  site.createAlbum('Garden Party'),
)

test.for([
  ['a text', { status: 502, contentType: 'text/plain', body: 'upstream is away' }, '502: upstream is away'],
  ['nothing', { status: 503, body: '' }, '503: Service Unavailable'],
  [
    'a page',
    {
      status: 502,
      contentType: 'text/html',
      body: '<html><head><title>502</title></head><body><h1>Bad Gateway</h1><hr>nginx</body></html>',
    },
    '502: Bad Gateway nginx',
  ],
  ['JSON of its own', { status: 504, json: { detail: 'too slow' } }, '504: {"detail":"too slow"}'],
] as const)('what a proxy answers is shown with its status: %s', async ([_what, answer, text], { page }) => {
  await page.route('**/trpc/albums.list**', (route) => route.fulfill(answer))
  await page.goto('/albums')
  await sees(page, 'Failed to fetch albums')
  await sees(page, text)
  expect(await page.getByText(/internet connection/).count()).toBe(0)
})

test('a web page that comes instead of an answer is not read as an answer', async ({ page }) => {
  await page.route('**/trpc/albums.list**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<h1>Please log in to the hotel network</h1>' }),
  )
  await page.goto('/albums')
  await sees(page, 'The answer could not be read')
})

test('an album that the service refuses without a sentence is not found', async ({
  page,
  visitor,
  album,
}) => {
  await page.route('**/trpc/albums.visit**', (route) =>
    route.fulfill({
      status: 500,
      json: {
        error: { message: '', code: -32603, data: { code: 'INTERNAL_SERVER_ERROR', httpStatus: 500 } },
      },
    }),
  )
  await enterAsOwner(visitor, album)
  await sees(page, 'Album not found')
})

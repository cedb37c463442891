import { expect } from 'vitest'
import { HIDDEN, headOf } from './head.ts'
import { siteTest } from './site-test.ts'
import { sees } from './visitor.ts'

const test = siteTest({ work: false })

test.for(['/no/such/page', '/selfie/nowhere', '/album', '/selfie/results/a/b'])(
  '%s is answered with 404 and a page that leads back to /selfie',
  async (path, { page, visitor }) => {
    const { becomeOrganiser } = visitor
    await becomeOrganiser({ userEmail: 'o@example.com', eventName: 'Garden Party', userAlbumId: 'key' })
    const answer = await page.goto(path)
    expect(answer!.status()).toBe(404)
    await sees(page, '404 Page Not Found')
    await sees(page, "The page you're looking for doesn't exist.")
    expect(await headOf(page)).toEqual({ title: 'Page Not Found · Inframe', robots: HIDDEN })
    expect(await page.getByRole('link', { name: 'Back to Home' }).getAttribute('href')).toBe('/')
    await page.getByRole('link', { name: 'Find your photos' }).click()
    await page.waitForURL('**/selfie')
    await sees(page, 'Find your photos at Garden Party')
    await expect.poll(() => headOf(page)).toEqual({ title: 'Upload a selfie · Inframe', robots: HIDDEN })
  },
)

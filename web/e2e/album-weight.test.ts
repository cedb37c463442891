import { expect } from 'vitest'
import { fillWithRows } from './album-visits.ts'
import { ALBUM_MAX_BYTES, weighUntil } from './album-weight.ts'
import { siteTest } from './site-test.ts'

const test = siteTest({ work: false })

const GATE = 'input[name=password]'
const SELFIE = 'main [role=button]'
const PROGRESS = '[role=progressbar]'

test.for([
  ['asks for the password', GATE, false],
  ['takes a selfie', SELFIE, true],
  ['shows the progress', PROGRESS, false],
] as const)(
  'the album page that %s is light enough',
  async ([_what, selector, isFilled], { page, visitor, site }) => {
    const album = await site.createAlbum()
    if (isFilled) await fillWithRows(site, album, 1)
    if (selector !== GATE) await visitor.signInAs(album.owner)
    const bytes = await weighUntil(page, selector, () => page.goto(`/album/${album.albumName}`))
    expect(bytes).toBeLessThan(ALBUM_MAX_BYTES)
    // React, the router and the calls alone are three quarters of it: a smaller sum means that something was not counted.
    expect(bytes).toBeGreaterThan(0.75 * ALBUM_MAX_BYTES)
  },
)

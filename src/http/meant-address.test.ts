import { expect, test } from 'vitest'
import { meantAddress } from './site.ts'

const KEY = 'Fb3xampleOwnerKeyDoNotShareIt0zQ'

test.each([
  ['/album/garden-party?photos=all', '/album/garden-party?photos=all'],
  ['/Album/Garden-Party', '/album/garden-party'],
  ['//album//garden-party', '/album/garden-party'],
  ['/album/garden-party.', '/album/garden-party'],
  ['/album/garden-party)', '/album/garden-party'],
  ['/album/garden-party%20', '/album/garden-party'],
  ['/album/garden-party%E2%80%8B', '/album/garden-party'],
  ['/album/garden-party&fbclid=abc', '/album/garden-party'],
  ['/album/garden-party%', '/album/garden-party'],
  [`/album/garden-party%23owner-key=${KEY}`, `/album/garden-party#owner-key=${KEY}`],
  [`/album/garden-party%23owner-key%3D${KEY}`, `/album/garden-party#owner-key=${KEY}`],
  ['/stop-letters%23abc_-', '/stop-letters#abc_-'],
  ['/photo-letters%23confirm%3dabc', '/photo-letters#confirm=abc'],
  ['/album/', '/album/'],
  ['/album/%D0%BC%D0%B8%D1%80', '/album/%D0%BC%D0%B8%D1%80'],
  ['/', '/'],
])('%s means %s', (url, meant) => {
  expect(meantAddress(url)).toBe(meant)
})

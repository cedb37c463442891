import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { forgetAlbum, keepAlbum } from './keep-albums.ts'
import { readOrganiser, readOwnAlbums } from './own-albums.ts'
import { canKeep, forgetGuest, KEPT } from './persisted.ts'

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const REMEMBERED = { searchToken: 'sealed', endsAt: inDays(30), photoIds: ['photo-1'] }
const albumOf = (name: string) => ({
  userEmail: 'mira@example.com',
  eventName: name,
  userAlbumId: `key of ${name}`,
  userAlbumSlug: name,
})

/** A browser's storage: what is kept are its own properties, as in a real one. */
class FakeStorage {
  setItem(key: string, value: string) {
    Object.assign(this, { [key]: value })
  }
  getItem(key: string) {
    return Object.hasOwn(this, key) ? Reflect.get(this, key) : null
  }
  removeItem(key: string) {
    Reflect.deleteProperty(this, key)
  }
}

let localStorage: FakeStorage
let sessionStorage: FakeStorage
beforeEach(() => {
  localStorage = new FakeStorage()
  sessionStorage = new FakeStorage()
  vi.stubGlobal('window', { localStorage, sessionStorage })
})
afterEach(() => vi.unstubAllGlobals())

test('a guest is remembered for one album, until they ask to be forgotten', () => {
  KEPT.remembered.write(REMEMBERED, 'wedding')
  KEPT.search.write({ searchToken: 'sealed', answers: [] }, 'wedding')
  KEPT.alert.write({ endToken: 'end', endsAt: inDays(1) }, 'marathon')
  expect(KEPT.remembered.read('wedding')).toEqual(REMEMBERED)
  expect(KEPT.remembered.read('marathon')).toBeNull()
  forgetGuest('wedding')
  expect(KEPT.remembered.read('wedding')).toBeNull()
  expect(KEPT.search.read('wedding')).toBeNull()
  expect(KEPT.alert.read('marathon')).not.toBeNull()
  forgetGuest()
  expect(Object.keys(localStorage)).toEqual([])
})

test('what has ended or is unreadable is deleted, whatever album is opened, and nothing else', () => {
  KEPT.remembered.write({ ...REMEMBERED, endsAt: inDays(-1) }, 'wedding')
  KEPT.remembered.write(REMEMBERED, 'marathon')
  localStorage.setItem('remembered party', 'not JSON')
  localStorage.setItem('remembered lake', '{"searchToken":1}')
  localStorage.setItem('userEmail', 'mira@example.com')
  expect(KEPT.remembered.read('another')).toBeNull()
  expect(Object.keys(localStorage)).toEqual(['remembered marathon', 'userEmail'])
})

test('where storage is refused, nothing is kept, and nothing throws', () => {
  const refuse = () => {
    throw new DOMException('denied', 'SecurityError')
  }
  vi.stubGlobal('window', Object.defineProperty({}, 'localStorage', { get: refuse }))
  expect(canKeep()).toBe(false)
  expect(KEPT.remembered.write(REMEMBERED, 'wedding')).toBe(false)
  expect(KEPT.remembered.read('wedding')).toBeNull()
  expect(keepAlbum(albumOf('wedding'))).toBe(false)
  expect(() => forgetGuest()).not.toThrow()
})

test('the album that was kept last is in hand, and an album leaves alone', () => {
  expect(canKeep()).toBe(true)
  keepAlbum(albumOf('wedding'))
  keepAlbum(albumOf('marathon'))
  keepAlbum({ ...albumOf('wedding'), userAlbumId: 'renewed' })
  expect(readOrganiser()?.userAlbumId).toBe('renewed')
  expect(readOwnAlbums().map(({ eventName }) => eventName)).toEqual(['wedding', 'marathon'])
  forgetAlbum('renewed')
  expect(readOrganiser()).toBeNull()
  expect(readOwnAlbums()).toEqual([albumOf('marathon')])
})

test.each(['userEmail', 'eventName', 'userAlbumId'])('without %s there is no album in hand', (missing) => {
  keepAlbum(albumOf('wedding'))
  localStorage.removeItem(missing)
  expect(readOrganiser()).toBeNull()
})

/** Lets the browser save no more values like this. */
function refuse(isRefused: (value: string) => boolean): void {
  const { setItem } = localStorage
  localStorage.setItem = (key, value) => {
    if (isRefused(value)) throw new DOMException('full', 'QuotaExceededError')
    setItem.call(localStorage, key, value)
  }
}

test('an album whose key does not fit changes nothing', () => {
  keepAlbum(albumOf('wedding'))
  refuse((value) => value.includes('marathon'))
  expect(keepAlbum(albumOf('marathon'))).toBe(false)
  expect(readOrganiser()).toEqual(albumOf('wedding'))
  expect(readOwnAlbums()).toEqual([albumOf('wedding')])
})

test('an album that fits only once is one of the browser, and none is in hand', () => {
  keepAlbum(albumOf('wedding'))
  refuse((value) => value === 'marathon')
  expect(keepAlbum(albumOf('marathon'))).toBe(true)
  expect(readOrganiser()).toBeNull()
  expect(readOwnAlbums()).toEqual([albumOf('marathon'), albumOf('wedding')])
})

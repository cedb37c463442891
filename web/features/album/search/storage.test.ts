import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { forgetRemembered, keepSearch, readKeptSearch, readRemembered, saveRemembered } from './storage.ts'

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const KEPT = { searchToken: 'sealed', endsAt: inDays(30), photoIds: ['photo-1'] }

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
beforeEach(() => {
  localStorage = new FakeStorage()
  vi.stubGlobal('window', { localStorage })
})
afterEach(() => vi.unstubAllGlobals())

test('an album remembers its own visitor only, until the visitor asks it to forget', () => {
  saveRemembered('wedding', KEPT)
  expect(readRemembered('wedding')).toEqual(KEPT)
  expect(readRemembered('marathon')).toBeNull()
  forgetRemembered('wedding')
  expect(readRemembered('wedding')).toBeNull()
  expect(Object.keys(localStorage)).toEqual([])
})

test('what has ended or is unreadable is deleted, whatever album is opened, and nothing else', () => {
  saveRemembered('wedding', { ...KEPT, endsAt: inDays(-1) })
  saveRemembered('marathon', KEPT)
  localStorage.setItem('remembered party', 'not JSON')
  localStorage.setItem('userEmail', 'mira@example.com')
  expect(readRemembered('another')).toBeNull()
  expect(Object.keys(localStorage)).toEqual(['remembered marathon', 'userEmail'])
})

test('blocked storage reads as nothing kept', () => {
  vi.stubGlobal('window', {
    get localStorage() {
      throw new DOMException('denied', 'SecurityError')
    },
  })
  expect(readRemembered('wedding')).toBeNull()
  expect(() => forgetRemembered('wedding')).not.toThrow()
  expect(saveRemembered('wedding', KEPT)).toBe(false)
  expect(readKeptSearch('wedding')).toBeNull()
  expect(() => keepSearch('wedding', { searchToken: 'sealed', answers: [] })).not.toThrow()
})

import { afterEach, expect, test, vi } from 'vitest'
import { PHOTO_TOO_LARGE } from '../../../src/contract/wording.ts'
import { blockedFiles, blockedToast, eachOnce, isHeic } from './files.ts'

afterEach(() => void vi.unstubAllGlobals())

function rejected(name: string, ...codes: string[]) {
  return { file: new File([], name), errors: codes.map((code) => ({ code })) }
}

test('the toast names the first three blocked files with their reasons, without marks that turn text round', async () => {
  const files = [
    rejected('notes\u202e.txt', 'file-invalid-type', 'file-too-large'),
    rejected('big.png', 'file-too-large'),
    rejected('empty.jpg', 'file-too-small'),
  ]
  const lines = [
    'notes.txt: Only JPEG and PNG files are supported (facial recognition service requirement)',
    'big.png: File too large (max 5MB per photo for facial recognition)',
    'empty.jpg: Invalid file',
  ]
  const toastAbout = async (all: typeof files) => blockedToast(await blockedFiles(all))
  expect(await toastAbout(files)).toEqual({ title: '3 files blocked', description: lines.join('\n') })
  const more = [rejected('a.gif', 'file-invalid-type'), rejected('b')]
  expect(await toastAbout([...files, ...more])).toEqual({
    title: '5 files blocked',
    description: [...lines, '...and 2 more'].join('\n'),
  })
  expect((await toastAbout(files.slice(0, 1))).title).toBe('1 file blocked')
})

test('photos that are too large can be made smaller, and HEIC where the browser opens it', async () => {
  const large = rejected('big.png', 'file-too-large')
  const heic = rejected('a.heic', 'file-invalid-type')
  const shrinkable = async () =>
    (await blockedFiles([large, heic, rejected('notes.txt', 'file-invalid-type')])).map(
      ({ isShrinkable }) => isShrinkable,
    )
  expect(await shrinkable()).toEqual([false, false, false])
  vi.stubGlobal('Worker', class {})
  vi.stubGlobal('OffscreenCanvas', class {})
  vi.stubGlobal('createImageBitmap', async () => Promise.reject(new Error('It cannot be opened')))
  expect(await shrinkable()).toEqual([true, false, false])
  vi.stubGlobal('createImageBitmap', async () => ({ close() {} }))
  expect(await shrinkable()).toEqual([true, true, false])
})

test('a photo that is chosen twice is selected once, as the later file; another photo of the same name is kept', () => {
  const first = new File(['aa'], 'a.jpg', { lastModified: 1 })
  const again = new File(['aa'], 'a.jpg', { lastModified: 1 })
  const other = new File(['aaa'], 'a.jpg', { lastModified: 1 })
  const selection = eachOnce([first, again, other, other])
  expect(selection).toHaveLength(2)
  expect(selection[0]).toBe(again)
  expect(selection[1]).toBe(other)
})

test('a file that is blocked again is listed once, with its last reason', () => {
  const file = new File(['aa'], 'a.jpg', { lastModified: 1 })
  const other = new File(['aaa'], 'a.jpg', { lastModified: 1 })
  const list = eachOnce([
    { file, reason: PHOTO_TOO_LARGE },
    { file: other, reason: PHOTO_TOO_LARGE },
    { file: new File(['aa'], 'a.jpg', { lastModified: 1 }), reason: 'Invalid file' },
  ])
  expect(list.map(({ file, reason }) => [file.size, reason])).toEqual([
    [2, 'Invalid file'],
    [3, PHOTO_TOO_LARGE],
  ])
})

test.each([
  ['IMG_1.HEIC', 'image/heic', true],
  // Not every system knows the type.
  ['IMG_1.HEIC', 'application/octet-stream', true],
  ['photo', 'image/heif', true],
  ['IMG_1.HEIC', 'image/jpeg', false],
  ['IMG_1.jpg', '', false],
])('%s of the type %j is a HEIC photo: %s', (name, type, expected) => {
  expect(isHeic({ name, type })).toBe(expected)
})

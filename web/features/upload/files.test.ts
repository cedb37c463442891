import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { PHOTO_TOO_LARGE } from '../../../src/contract/wording.ts'
import { addToBlocked, addToSelection, blockedFile, blockedToast, isReadable } from './files.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function rejected(name: string, ...codes: string[]) {
  return blockedFile({ file: new File([], name), errors: codes.map((code) => ({ code })) })
}

test('the toast names the first three blocked files with their reasons', () => {
  const blocked = [
    rejected('notes.txt', 'file-invalid-type', 'file-too-large'),
    rejected('big.png', 'file-too-large'),
    rejected('empty.jpg', 'file-too-small'),
  ]
  const lines = [
    'notes.txt: Only JPEG and PNG files are supported (facial recognition service requirement)',
    'big.png: File too large (max 5MB per photo for facial recognition)',
    'empty.jpg: Invalid file',
  ]
  expect(blockedToast(blocked)).toEqual({ title: '3 files blocked', description: lines.join('\n') })
  expect(blockedToast([...blocked, rejected('a.gif', 'file-invalid-type'), rejected('b')])).toEqual({
    title: '5 files blocked',
    description: [...lines, '...and 2 more'].join('\n'),
  })
  expect(blockedToast([rejected('notes.txt', 'file-invalid-type')]).title).toBe('1 file blocked')
})

test('a blocked file is named without the marks that change the direction of text', () => {
  const { description } = blockedToast([rejected('notes\u202egpj.exe', 'file-invalid-type')])
  expect(description).toMatch(/^notesgpj\.exe: /)
})

test('a photo that is chosen twice is selected once, as the later file; another photo of the same name is kept', () => {
  const first = new File(['aa'], 'a.jpg', { lastModified: 1 })
  const again = new File(['aa'], 'a.jpg', { lastModified: 1 })
  const other = new File(['aaa'], 'a.jpg', { lastModified: 1 })
  const selection = addToSelection([first], [again, other, other])
  expect(selection).toHaveLength(2)
  expect(selection[0]).toBe(again)
  expect(selection[1]).toBe(other)
})

test('a file that is blocked again is listed once, with its last reason', () => {
  const file = new File(['aa'], 'a.jpg', { lastModified: 1 })
  const other = new File(['aaa'], 'a.jpg', { lastModified: 1 })
  const list = addToBlocked(
    [
      { file, reason: PHOTO_TOO_LARGE },
      { file: other, reason: PHOTO_TOO_LARGE },
    ],
    [{ file: new File(['aa'], 'a.jpg', { lastModified: 1 }), reason: 'Invalid file' }],
  )
  expect(list.map(({ file, reason }) => [file.size, reason])).toEqual([
    [2, 'Invalid file'],
    [3, PHOTO_TOO_LARGE],
  ])
})

/** A file whose disk answers like this. */
function fileThat(read: () => Promise<ArrayBuffer>): File {
  const file = new File(['photo'], 'a.jpg')
  return Object.assign(file, { slice: () => Object.assign(new Blob(), { arrayBuffer: read }) })
}

test('an existing file is readable and a missing one is not; no timer is left running', async () => {
  expect(await isReadable(new File(['photo'], 'a.jpg'))).toBe(true)
  const gone = new DOMException('It could not be found', 'NotFoundError')
  expect(await isReadable(fileThat(() => Promise.reject(gone)))).toBe(false)
  expect(vi.getTimerCount()).toBe(0)
})

test('a photo on a disk that does not answer counts as readable', async () => {
  const answer = isReadable(fileThat(() => new Promise(() => {})))
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await answer).toBe(true)
})

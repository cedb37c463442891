import { expect, test } from 'vitest'
import { byteRange } from './byte-range.ts'

test.each([
  ['bytes=0-', { start: 0, end: 100 }],
  ['bytes=40-', { start: 40, end: 100 }],
  ['bytes=40-59', { start: 40, end: 60 }],
  ['bytes=40-1000', { start: 40, end: 100 }],
  ['bytes=-10', { start: 90, end: 100 }],
  ['bytes=-1000', { start: 0, end: 100 }],
  ['bytes=100-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
])('"%s" of 100 bytes', (header, range) => {
  expect(byteRange(header, 100)).toEqual(range)
})

test.each([undefined, 'bytes=-', 'bytes=9-3', 'bytes=0-1,5-6', 'pages=1-2', 'bytes=a-b'])(
  '"%s" asks for the whole file',
  (header) => {
    expect(byteRange(header, 100)).toBeUndefined()
  },
)

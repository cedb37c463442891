import sharp, { type Color, type Sharp } from 'sharp'
import { expect, test } from 'vitest'
import { placeholderOf } from './placeholder.ts'

const picture = (width: number, height: number, background: Color) =>
  sharp({ create: { width, height, channels: 3, background } })
const RED = [200, 10, 20]
const BLUE = [10, 20, 200]
const colourOf = ([r, g, b]: number[]) => ({ r: r!, g: g!, b: b! })
const pixelsOf = (image: Sharp) => image.raw().toBuffer({ resolveWithObject: true })

/** Red on the left, blue on the right. */
async function twoColours(width: number, height: number): Promise<Sharp> {
  const right = await picture(width / 2, height, colourOf(BLUE))
    .png()
    .toBuffer()
  const left = picture(width, height, colourOf(RED))
  return sharp(
    await left
      .composite([{ input: right, left: width / 2, top: 0 }])
      .png()
      .toBuffer(),
  )
}

test('a wide photo has four columns and three rows of colours', async () => {
  const row = [RED, RED, BLUE, BLUE].flat()
  const placeholder = placeholderOf(await pixelsOf(await twoColours(640, 480)))
  expect([...placeholder]).toEqual([row, row, row].flat())
})

test('a photo that is higher than wide has three columns and four rows', async () => {
  const middle = [105, 15, 110]
  const placeholder = placeholderOf(await pixelsOf(await twoColours(480, 640)))
  const row = [RED, middle, BLUE].flat()
  expect([...placeholder]).toEqual([row, row, row, row].flat())
})

test.each([
  [1, 1],
  [1, 640],
  [640, 2],
])('a photo of %i × %i pixels has a placeholder', async (width, height) => {
  const placeholder = placeholderOf(await pixelsOf(picture(width, height, colourOf(RED))))
  expect([...placeholder]).toEqual(Array(12).fill(RED).flat())
})

test('a grey photo has grey colours', async () => {
  const grey = picture(64, 48, { r: 90, g: 90, b: 90 }).toColourspace('b-w')
  expect([...placeholderOf(await pixelsOf(grey))]).toEqual(Array(36).fill(90))
})

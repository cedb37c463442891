import sharp from 'sharp'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { countingNetworks, loadNetworks } from '../../../testing/networks.ts'
import { samplePhotos } from '../../../testing/sample-photos.ts'
import { PREVIEW_SIDE } from '../../preview.ts'
import { detectFaces } from './detect-faces.ts'
import type { Networks } from './networks.ts'
import { readPixels } from './pixels.ts'

const SIZE = PREVIEW_SIDE

let loaded: Networks
let networks: Networks
let counts: Record<keyof Networks, number>
beforeAll(async () => {
  loaded = await loadNetworks()
})
beforeEach(() => {
  ;({ networks, counts } = countingNetworks(loaded))
})

const facesOf = async (image: Buffer) => detectFaces(networks, await readPixels(image, SIZE))

test('only those parts of a photo are looked at again in which small faces may be', async () => {
  const background = sharp({ create: { width: SIZE, height: 1365, channels: 3, background: '#9bc' } })
  const people = await sharp(samplePhotos()[4]!).resize(300).toBuffer()
  const found = await facesOf(
    await background
      .composite([{ input: people, left: 1500, top: 900 }])
      .jpeg()
      .toBuffer(),
  )
  expect(found).toHaveLength(5)
  expect(counts.detectSmallFaces).toBeGreaterThan(0)
  expect(counts.detectSmallFaces).toBeLessThanOrEqual(4)
})

import { beforeAll, expect, test } from 'vitest'
import { judge, mosaicOf } from '../../testing/mosaic.ts'
import { PREVIEW_SIDE } from '../preview.ts'
import { detectFaces } from './detect-faces.ts'
import { loadModels } from './models.ts'
import { createNetworks, type Networks } from './networks.ts'
import { readPixels } from './pixels.ts'
import { loadRuntime } from './runtime.ts'

const SIZE = PREVIEW_SIDE

let networks: Networks
beforeAll(async () => {
  networks = createNetworks((await loadModels(await loadRuntime())).models)
})

const facesOf = async (image: Buffer) => detectFaces(networks, await readPixels(image, SIZE))

test.for([
  [5, 1],
  [8, 0.93],
])(
  'in a mosaic with rows of %i photos, at least %d of all faces are found, each once',
  async ([columns, share]) => {
    const { image, places } = await mosaicOf(networks, columns!)
    const { found, doubles, falseBoxes } = judge(places, await facesOf(image))
    expect(found / places.length).toBeGreaterThanOrEqual(share!)
    expect(doubles).toBe(0)
    expect(falseBoxes / places.length).toBeLessThan(0.05)
  },
)

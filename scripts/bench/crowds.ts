import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Detection, detectFaces } from '../../src/faces/embedded/networks/detect-faces.ts'
import { loadModels } from '../../src/faces/embedded/networks/models.ts'
import { createNetworks, type Networks } from '../../src/faces/embedded/networks/networks.ts'
import { readPixels } from '../../src/faces/embedded/networks/pixels.ts'
import { loadRuntime } from '../../src/faces/embedded/networks/runtime.ts'
import { PREVIEW_SIDE } from '../../src/faces/preview.ts'
import { judge, mosaicOf } from '../../src/testing/mosaic.ts'
import { samplePhotos } from '../../src/testing/sample-photos.ts'
import { printTable } from './report.ts'

/** Photos in a row of a mosaic. */
const MOSAICS = [3, 4, 5, 6, 7, 8]

interface Look {
  faces: Detection[]
  /** Processor time. */
  ms: number
}

/** Measures how many of the small faces of mosaics are found, and how long the second look takes. The yardstick is the
 *  first look alone. With `node scripts/bench/crowds.ts FOLDER` it also counts the faces of that folder's pictures. */
export async function benchCrowds(folder?: string): Promise<void> {
  const networks = createNetworks((await loadModels(await loadRuntime())).models)
  await look(networks, samplePhotos()[0]!)
  const mosaics: string[][] = []
  for (const columns of MOSAICS) {
    const { image, places } = await mosaicOf(networks, columns)
    const [once, twice] = await bothWays(networks, image)
    const { found, doubles, falseBoxes } = judge(places, twice.faces)
    mosaics.push([
      `${columns} × ${columns} photos`,
      `${places.length}`,
      share(judge(places, once.faces).found, places.length),
      share(found, places.length),
      `${doubles}`,
      `${falseBoxes}`,
      `${Math.round(once.ms)}`,
      `${Math.round(twice.ms)}`,
    ])
  }
  printTable(['Mosaics', 'faces', 'first look', 'found', 'doubles', 'false', 'first ms', 'all ms'], mosaics)
  console.log()
  await countFaces(
    networks,
    'Ordinary photos',
    samplePhotos().map((image, index) => [`photo ${index + 1}`, image]),
  )
  if (!folder) return
  console.log()
  await countFaces(networks, folder, picturesIn(folder))
}

async function countFaces(networks: Networks, title: string, pictures: [string, Buffer][]): Promise<void> {
  const rows: string[][] = []
  const sums = [0, 0]
  for (const [name, image] of pictures) {
    const [once, twice] = await bothWays(networks, image)
    sums[0]! += once.ms
    sums[1]! += twice.ms
    rows.push([name, ...[once.faces.length, twice.faces.length, once.ms, twice.ms].map((n) => n.toFixed())])
  }
  rows.push(['all', '', '', ...sums.map((ms) => ms.toFixed())])
  printTable([title, 'first look', 'found', 'first ms', 'all ms'], rows)
}

/** The faces of the first look alone, and those of both. */
async function bothWays(networks: Networks, image: Buffer): Promise<[Look, Look]> {
  const firstAlone = { ...networks, detectSmallFaces: async () => [] }
  return [await look(firstAlone, image), await look(networks, image)]
}

async function look(networks: Networks, image: Buffer): Promise<Look> {
  const pixels = await readPixels(image, PREVIEW_SIDE)
  const before = process.cpuUsage()
  const faces = await detectFaces(networks, pixels)
  const { user, system } = process.cpuUsage(before)
  return { faces, ms: (user + system) / 1_000 }
}

function picturesIn(folder: string): [string, Buffer][] {
  return readdirSync(folder)
    .filter((name) => /\.(jpe?g|png)$/i.test(name) && statSync(join(folder, name)).isFile())
    .map((name) => [name, readFileSync(join(folder, name))])
}

function share(part: number, all: number): string {
  return `${((100 * part) / all).toFixed(1)}%`
}

if (import.meta.main) await benchCrowds(process.argv[2])

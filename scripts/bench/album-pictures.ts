/** Measures the distances that TAKEN_FROM_ALBUM in src/faces/embedded/matching/find-person.ts was chosen from: those of one
 *  picture and its copies, against those of different pictures of one person.
 *  Run it with `node scripts/bench/album-pictures.ts [FOLDER]`. FOLDER has a folder for each person, with pictures of that
 *  person. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { TAKEN_FROM_ALBUM } from '../../src/faces/embedded/matching/find-person.ts'
import { distanceOf } from '../../src/faces/embedded/matching/query-embedding.ts'
import type { DescribedFace } from '../../src/faces/embedded/networks/engine.ts'
import { loadFaceEngine } from '../../src/faces/embedded/networks/load-engine.ts'
import type { BoundingBox } from '../../src/faces/face-index.ts'
import { cropFace, samplePhotos } from '../../src/testing/sample-photos.ts'

/** The ways in which somebody gets a copy of a face in an album. */
const COPIES: Record<string, (photo: Buffer, box: BoundingBox) => Promise<Buffer>> = {
  'JPEG, quality 85': (photo) => sharp(photo).jpeg({ quality: 85 }).toBuffer(),
  'JPEG, quality 50': (photo) => sharp(photo).jpeg({ quality: 50 }).toBuffer(),
  'preview, 1,280 px': (photo) => resized(photo, 1280, 88),
  'thumbnail, 640 px': (photo) => resized(photo, 640, 75),
  'crop, four times the face': async (photo, box) =>
    sharp(await cropFace(photo, box, 4))
      .jpeg({ quality: 90 })
      .toBuffer(),
  'crop, twice the face': async (photo, box) =>
    sharp(await cropFace(photo, box, 2))
      .jpeg({ quality: 90 })
      .toBuffer(),
  'screenshot of the viewer': async (photo) =>
    sharp(await resized(photo, 1280, 88))
      .resize(1170)
      .jpeg({ quality: 80 })
      .toBuffer(),
  'screenshot of a crop': async (photo, box) =>
    sharp(await cropFace(await resized(photo, 1280, 88), box, 3))
      .resize(900)
      .jpeg({ quality: 80 })
      .toBuffer(),
  'screenshot of a thumbnail': async (photo, box) =>
    sharp(await cropFace(await resized(photo, 640, 75), box, 3))
      .resize(500)
      .jpeg({ quality: 80 })
      .toBuffer(),
  '20% lighter': (photo) => sharp(photo).modulate({ brightness: 1.2 }).jpeg({ quality: 85 }).toBuffer(),
  'turned by 8°': async (photo, box) =>
    sharp(await cropFace(photo, box, 3))
      .rotate(8)
      .jpeg({ quality: 85 })
      .toBuffer(),
  mirrored: (photo) => sharp(photo).flop().jpeg({ quality: 85 }).toBuffer(),
}

const resized = (photo: Buffer, side: number, quality: number) =>
  sharp(photo).resize(side, side, { fit: 'inside', withoutEnlargement: true }).jpeg({ quality }).toBuffer()

async function benchAlbumPictures(folder: string | undefined): Promise<void> {
  const { engine } = await loadFaceEngine()
  const people = folder ? peopleIn(folder) : []
  const copies: Record<string, number[]> = {}
  const differing: { distance: number; names: string }[] = []

  for (const photo of [
    ...samplePhotos(),
    ...people.flatMap(({ pictures }) => pictures.map(({ bytes }) => bytes)),
  ])
    for (const face of await engine.describeFaces(photo))
      for (const [name, copy] of Object.entries(COPIES)) {
        const seen = await engine.describeFaces(await copy(photo, face.box))
        // The copy of this face is the closest one.
        if (seen.length > 0)
          copies[name] = [...(copies[name] ?? []), Math.min(...seen.map((other) => distance(face, other)))]
      }

  for (const { pictures } of people) {
    const faces: { name: string; face: DescribedFace }[] = []
    for (const { name, bytes } of pictures) {
      const [face] = await engine.describeFaces(bytes)
      if (face) faces.push({ name, face })
    }
    for (const [index, one] of faces.entries())
      for (const other of faces.slice(index + 1))
        differing.push({ distance: distance(one.face, other.face), names: `${one.name} ${other.name}` })
  }

  console.log('Copies of one picture: count, median, 90%, 95%, 99%, highest.')
  for (const [name, distances] of Object.entries(copies)) print(name, distances)
  const plain = Object.entries(copies).filter(([name]) => !['mirrored', 'turned by 8°'].includes(name))
  print(
    'all but turned and mirrored',
    plain.flatMap(([, distances]) => distances),
  )
  const closest = differing.toSorted((one, other) => one.distance - other.distance)
  console.log(`\nDifferent pictures of one person: ${closest.length} pairs. The closest:`)
  for (const pair of closest.slice(0, 15)) console.log(`${pair.distance.toFixed(3)}  ${pair.names}`)
  console.log('\nlimit, copies within it, different pictures within it')
  for (const limit of [0.05, 0.06, 0.08, 0.1, 0.12, TAKEN_FROM_ALBUM, 0.18, 0.2]) {
    const [refused, wrongly] = [plain.flatMap(([, all]) => all), differing.map((pair) => pair.distance)].map(
      (all) => `${((100 * all.filter((one) => one <= limit).length) / all.length).toFixed(1)}%`,
    )
    console.log(`${limit.toFixed(2)}  ${refused}  ${wrongly}`)
  }
}

function peopleIn(folder: string) {
  return readdirSync(folder).map((person) => ({
    pictures: readdirSync(join(folder, person)).map((name) => ({
      name: `${person}/${name}`,
      bytes: readFileSync(join(folder, person, name)),
    })),
  }))
}

const distance = (one: DescribedFace, other: DescribedFace) => distanceOf(one.descriptor, other.descriptor)

function print(name: string, distances: number[]): void {
  const sorted = distances.toSorted((one, other) => one - other)
  const at = (part: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]!.toFixed(3)
  console.log(
    `${name.padEnd(30)}${String(sorted.length).padStart(5)}  ${[0.5, 0.9, 0.95, 0.99, 1].map(at).join('  ')}`,
  )
}

await benchAlbumPictures(process.argv[2])

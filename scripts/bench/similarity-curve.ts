/** Measures the distances that the anchors in src/faces/embedded/matching/similarity.ts were chosen from.
 *  Run it with `node scripts/bench/similarity-curve.ts`; it takes two or three minutes. */
import sharp, { type Sharp } from 'sharp'
import { distanceOfSimilarity, similarityOfDistance } from '../../src/faces/embedded/matching/similarity.ts'
import type { DescribedFace, FaceEngine } from '../../src/faces/embedded/networks/engine.ts'
import { loadFaceEngine } from '../../src/faces/embedded/networks/load-engine.ts'
import type { BoundingBox } from '../../src/faces/face-index.ts'
import { cropFace, samplePhotos } from '../../src/testing/sample-photos.ts'

/** Pairs that show the same person. A face is named photo.place; both count from 1, places from left to right. A
 *  person compared the faces side by side. */
const SAME_PERSON = [['1.3', '3.2']]
/** Pairs that may show the same person or not; they are not counted. */
const UNDECIDED = [
  ['1.2', '4.1'],
  ['4.2', '6.3'],
  ['5.4', '6.1'],
  ['1.2', '2.2'],
]

interface Face extends DescribedFace {
  name: string
  photo: Buffer
}

const VARIATIONS: Record<string, (crop: Sharp) => Sharp> = {
  mirrored: (crop) => crop.flop(),
  'turned +15°': (crop) => crop.rotate(15, { background: '#444' }),
  'turned -15°': (crop) => crop.rotate(-15, { background: '#444' }),
  'face 80 px': (crop) => crop.resize({ width: 160 }),
  'face 60 px': (crop) => crop.resize({ width: 120 }),
  'face 40 px': (crop) => crop.resize({ width: 80 }),
  'JPEG q30': (crop) => crop.jpeg({ quality: 30 }),
  '30% lighter': (crop) => crop.modulate({ brightness: 1.3 }),
  '30% darker': (crop) => crop.modulate({ brightness: 0.7 }),
  blurred: (crop) => crop.blur(3),
}

async function benchSimilarityCurve(): Promise<void> {
  const { engine } = await loadFaceEngine()
  const faces = await allFaces(engine)
  const genuine: Record<string, number[]> = {}
  const strangers: number[] = []
  const notFound: Record<string, number> = {}

  for (const face of faces) {
    const wide = await cropFace(face.photo, face.box, 2)
    const pictures = Object.entries(VARIATIONS).map(([name, change]) => [name, change(sharp(wide))] as const)
    for (const [name, picture] of [
      ...pictures,
      ['tight crop', sharp(await cropFace(face.photo, face.box, 1))] as const,
    ]) {
      const image = await picture.jpeg({ quality: name === 'JPEG q30' ? 30 : 90 }).toBuffer()
      const seen = nearestToCentre(await engine.describeFaces(image))
      if (!seen) {
        notFound[name] = (notFound[name] ?? 0) + 1
        continue
      }
      genuine[name] = [...(genuine[name] ?? []), distance(seen, face)]
      for (const other of faces) if (areStrangers(face, other)) strangers.push(distance(seen, other))
    }
  }

  const pairs = faces.flatMap((one, index) => faces.slice(index + 1).map((other) => [one, other] as const))
  const otherPeople = pairs.filter(([one, other]) => areStrangers(one, other))
  const inOnePhoto = otherPeople.filter(([one, other]) => one.photo === other.photo)
  const across = pairs.filter(([one, other]) => isListed(SAME_PERSON, one, other))

  console.log(`${faces.length} faces in 6 photos. Distances: count, lowest, 5%, median, 95%, highest.`)
  for (const [name, distances] of Object.entries(genuine))
    print(name, distances, notFound[name] ? `${notFound[name]} not found` : '')
  print('SAME, all variations', Object.values(genuine).flat())
  print('SAME, two photos', across.map(distanceOf))
  print('OTHERS, one photo', inOnePhoto.map(distanceOf))
  print('OTHERS, unchanged', otherPeople.map(distanceOf))
  print('OTHERS, one changed', strangers)

  console.log(
    '\nFor each similarity threshold: the distance, pairs of the same person found, other pairs found.',
  )
  const same = [...Object.values(genuine).flat(), ...across.map(distanceOf)]
  const different = [...otherPeople.map(distanceOf), ...strangers]
  for (const threshold of [99, 95, 90, 85, 80, 75, 70, 60, 50]) {
    const limit = distanceOfSimilarity(threshold)
    console.log(
      `${threshold}  ${limit.toFixed(3)}  ${percent(same, limit)} of ${same.length}  ${percent(different, limit)} of ${different.length}`,
    )
  }
  console.log(
    `\nThe closest pair of other people has similarity ${similarityOfDistance(Math.min(...different)).toFixed(1)}`,
  )
}

async function allFaces(engine: FaceEngine): Promise<Face[]> {
  const faces: Face[] = []
  for (const [index, photo] of samplePhotos().entries()) {
    const found = (await engine.describeFaces(photo)).toSorted((one, other) => one.box.left - other.box.left)
    for (const [place, face] of found.entries())
      faces.push({ ...face, photo, name: `${index + 1}.${place + 1}` })
  }
  return faces
}

function nearestToCentre(faces: DescribedFace[]): DescribedFace | undefined {
  const away = ({ left, top, width, height }: BoundingBox) =>
    Math.hypot(left + width / 2 - 0.5, top + height / 2 - 0.5)
  return faces.toSorted((one, other) => away(one.box) - away(other.box))[0]
}

function areStrangers(one: Face, other: Face): boolean {
  return one !== other && !isListed(SAME_PERSON, one, other) && !isListed(UNDECIDED, one, other)
}

function isListed(pairs: string[][], one: Face, other: Face): boolean {
  return pairs.some((pair) => one !== other && pair.includes(one.name) && pair.includes(other.name))
}

function distanceOf([one, other]: readonly [Face, Face]): number {
  return distance(one, other)
}

function distance(one: DescribedFace, other: DescribedFace): number {
  return Math.sqrt(one.descriptor.reduce((sum, value, i) => sum + (value - other.descriptor[i]!) ** 2, 0))
}

function print(name: string, distances: number[], note = ''): void {
  const sorted = distances.toSorted((one, other) => one - other)
  const at = (part: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]!.toFixed(3)
  const columns = [0, 0.05, 0.5, 0.95, 1].map(at).join('  ')
  console.log(`${name.padEnd(26)}${String(sorted.length).padStart(5)}  ${columns}  ${note}`)
}

function percent(distances: number[], limit: number): string {
  return `${((100 * distances.filter((value) => value <= limit).length) / distances.length).toFixed(2)}%`
}

if (import.meta.main) await benchSimilarityCurve()

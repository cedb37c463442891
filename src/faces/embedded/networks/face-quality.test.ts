import sharp, { type Sharp } from 'sharp'
import { describe, expect, test } from 'vitest'
import { samplePhotos } from '../../../testing/sample-photos.ts'
import { cutSquare, type Point } from './alignment.ts'
import { brightnessOf, lumaOf, poseOf, sharpnessOf } from './face-quality.ts'
import { readPixels } from './pixels.ts'
import { RECOGNITION_SIZE } from './recognition-graph.ts'

const SIZE = RECOGNITION_SIZE

/** The aligned square of a face that looks to the right edge of the picture. */
const SQUARE = { centreX: 1612, centreY: 456, side: 269, angle: -0.07 }

const cut = cutSquare(await readPixels(samplePhotos()[2]!, 1920), SQUARE, SIZE)

/** The luma of the same face after a change with sharp. */
async function lumaAfter(change: (face: Sharp) => Sharp): Promise<Float32Array> {
  const changed = await change(
    sharp(Uint8Array.from(cut), { raw: { width: SIZE, height: SIZE, channels: 3 } }),
  )
    .png()
    .toBuffer()
  return lumaOf(Float32Array.from(await sharp(changed).resize(SIZE, SIZE).raw().toBuffer()))
}

describe('sharpness', () => {
  test('falls with every step of blur', async () => {
    const blurred = [1, 1.5, 2, 3, 4, 6].map((sigma) => lumaAfter((face) => face.blur(sigma)))
    const values = [lumaOf(cut), ...(await Promise.all(blurred))].map(sharpnessOf)
    expect(values[0]).toBeGreaterThan(45)
    for (const [step, value] of values.entries())
      if (step > 0) expect(value).toBeLessThan(values[step - 1]! - 1)
    expect(values.at(-1)).toBeLessThan(15)
  })

  test('is the same in less light and with less contrast', () => {
    const luma = lumaOf(cut)
    expect(sharpnessOf(luma.map((value) => value / 4 + 20))).toBeCloseTo(sharpnessOf(luma), 2)
  })
})

describe('brightness', () => {
  test('falls with the light, from 100 for white to 0 for black', () => {
    const luma = lumaOf(cut)
    const values = [1, 0.7, 0.4, 0.1].map((part) => brightnessOf(luma.map((value) => value * part)))
    expect(values[1]).toBeCloseTo(values[0]! * 0.7)
    expect(values[3]).toBeCloseTo(values[0]! * 0.1)
    expect(brightnessOf(new Float32Array(SIZE * SIZE).fill(255))).toBe(100)
    expect(brightnessOf(new Float32Array(SIZE * SIZE))).toBe(0)
  })

  test('is that of the face, without what is around it', () => {
    const luma = lumaOf(cut)
    const edge = SIZE / 6
    const isAround = (place: number) => place < edge || place >= SIZE - edge
    const inTheDark = luma.map((value, at) =>
      isAround(at % SIZE) || isAround(Math.floor(at / SIZE)) ? 0 : value,
    )
    expect(brightnessOf(inTheDark)).toBe(brightnessOf(luma))
  })
})

describe('pose', () => {
  test.each([
    { yaw: 0, pitch: 0, roll: 0 },
    { yaw: 20, pitch: 0, roll: 0 },
    { yaw: -20, pitch: 0, roll: 0 },
    { yaw: 40, pitch: 0, roll: 0 },
    { yaw: 70, pitch: 0, roll: 0 },
    { yaw: 0, pitch: 20, roll: 0 },
    { yaw: 0, pitch: -25, roll: 0 },
    { yaw: 0, pitch: 0, roll: 20 },
    { yaw: -30, pitch: 15, roll: -40 },
  ])('of a head that is turned by $yaw°, raised by $pitch° and leans by $roll°', (turned) => {
    const pose = poseOf(landmarksOf(turned), (turned.roll * Math.PI) / 180)
    expect(Math.abs(pose.yaw - turned.yaw)).toBeLessThan(5)
    expect(Math.abs(pose.pitch - turned.pitch)).toBeLessThan(8)
    expect(pose.roll).toBeCloseTo(turned.roll)
  })
})

/** The landmarks of a head whose nose points away from the camera by these degrees, in a picture in which y grows
 *  downwards. The head is the one in Mallick's "Head Pose Estimation using OpenCV and Dlib", with inner corners of the
 *  eyes; z points to the camera. */
function landmarksOf(turned: { yaw: number; pitch: number; roll: number }): Point[] {
  const [yaw, pitch, roll] = [turned.yaw, turned.pitch, turned.roll].map((angle) => (angle * Math.PI) / 180)
  const head: Record<number, readonly [x: number, y: number, z: number]> = {
    30: [0, 0, 0],
    36: [-225, -170, -135],
    39: [-75, -170, -135],
    42: [75, -170, -135],
    45: [225, -170, -135],
    48: [-150, 150, -125],
    54: [150, 150, -125],
  }
  const landmarks: Point[] = []
  for (const [number, [x, y, z]] of Object.entries(head)) {
    const raised = {
      y: y * Math.cos(pitch!) - z * Math.sin(pitch!),
      z: z * Math.cos(pitch!) + y * Math.sin(pitch!),
    }
    const across = x * Math.cos(yaw!) + raised.z * Math.sin(yaw!)
    landmarks[Number(number)] = {
      x: across * Math.cos(roll!) - raised.y * Math.sin(roll!),
      y: across * Math.sin(roll!) + raised.y * Math.cos(roll!),
    }
  }
  return landmarks
}

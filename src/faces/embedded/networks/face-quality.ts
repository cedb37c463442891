import type { FaceQuality } from '../../face-index.ts'
import { type AlignedFace, middle, PADDING, type Point } from './alignment.ts'
import { RECOGNITION_SIZE } from './recognition-graph.ts'

/** Pixels from the edge of an aligned square to the face in it. A whole number: with a fraction, the loops would be a
 *  third slower. */
const EDGE = Math.trunc((RECOGNITION_SIZE * PADDING) / (1 + 2 * PADDING))

/** Measures how well a face can be seen. Its sharpness and brightness are those of the picture that is described.
 *  @param cut its aligned square, as it is described: RGB, RECOGNITION_SIZE pixels a side */
export function qualityOf(cut: Float32Array, { landmarks, square }: AlignedFace): FaceQuality {
  const luma = lumaOf(cut)
  return {
    sharpness: sharpnessOf(luma),
    brightness: brightnessOf(luma),
    ...poseOf(landmarks, square.angle),
  }
}

/** The luma of an aligned square, 0–255 (ITU-R BT.601). */
export function lumaOf(cut: Float32Array): Float32Array {
  const luma = new Float32Array(cut.length / 3)
  for (let at = 0; at < luma.length; at++)
    luma[at] = 0.299 * cut[3 * at]! + 0.587 * cut[3 * at + 1]! + 0.114 * cut[3 * at + 2]!
  return luma
}

/** The mean luma of the face, 0–100. */
export function brightnessOf(luma: Float32Array): number {
  let sum = 0
  let pixels = 0
  for (let row = EDGE; row < RECOGNITION_SIZE - EDGE; row++)
    for (let column = EDGE; column < RECOGNITION_SIZE - EDGE; column++) {
      sum += luma[row * RECOGNITION_SIZE + column]!
      pixels++
    }
  return (100 * sum) / pixels / 255
}

/** How much of the face's detail a further blur would take away, 0–100: little when the face is blurred already. Contrast
 *  and brightness do not count. This is 100 (1 − blur) of "The blur effect: perception and estimation with a new
 *  no-reference perceptual blur metric" (Crete, Dolmiere, Ladret, Nicolas, SPIE 6492, 2007).
 *
 *  Measured: large faces of portraits 50–68, faces of 20 to 40 pixels 15–37. Blurring with a sigma of 1, 2 and 4 pixels of
 *  the aligned square took a sharp face from 61 to 45, 28 and 15. */
export function sharpnessOf(luma: Float32Array): number {
  return 100 * Math.min(detailOf(luma, 1), detailOf(luma, RECOGNITION_SIZE))
}

/** The paper's blur averages 9 pixels. */
const BLUR_REACH = 4

/** @param step to the next pixel: 1 along the rows, RECOGNITION_SIZE along the columns
 *  @returns the part (0–1) of the differences between neighbours that a blur takes away */
function detailOf(luma: Float32Array, step: number): number {
  let all = 0
  let lost = 0
  for (let row = EDGE; row < RECOGNITION_SIZE - EDGE; row++)
    for (let column = EDGE; column < RECOGNITION_SIZE - EDGE; column++) {
      const at = row * RECOGNITION_SIZE + column
      const difference = Math.abs(luma[at]! - luma[at - step]!)
      // Two averages of neighbours differ by their first and last pixels.
      const ends = luma[at + BLUR_REACH * step]! - luma[at - (BLUR_REACH + 1) * step]!
      all += difference
      const blurred = Math.abs(ends) / (2 * BLUR_REACH + 1)
      if (blurred < difference) lost += difference - blurred
    }
  return all > 0 ? lost / all : 0
}

/** The tip of the nose is in front of the eyes and the mouth: by 0.3 times the distance of the outer corners of the eyes,
 *  and 0.405 times the distance from the eyes to the mouth. These are the points of the generic head in "Head Pose
 *  Estimation using OpenCV and Dlib" (Mallick, learnopencv.com, 2016). */
const DEPTH_BY_WIDTH = 0.3
const DEPTH_BY_HEIGHT = 0.405

/** Where the tip of the nose is on the way from the eyes to the mouth when a face looks into the camera: the median of
 *  80 portraits. */
const NOSE_PLACE = 0.56

/** The direction of a face, in degrees, with the signs of FaceQuality. It follows from where the tip of the nose is
 *  between the eyes and the mouth, as in "Determining the gaze of faces in images" (Gee and Cipolla, 1994). It tells a
 *  turned face from a straight one, and is no measurement: a profile gives about 60°, and people with a long or a short
 *  nose get 10° more or less pitch. 40 mirrored portraits differed by 1.6° of yaw (the median; at most 6°).
 *  @param angle radians by which the aligned square is turned */
export function poseOf(landmarks: Point[], angle: number): { yaw: number; pitch: number; roll: number } {
  const cos = Math.cos(angle)
  const sin = Math.sin(angle)
  const upright = (...numbers: number[]) => {
    const { x, y } = middle(numbers.map((number) => landmarks[number]!))
    return { x: cos * x + sin * y, y: cos * y - sin * x }
  }
  const eyes = upright(36, 39, 42, 45)
  const mouth = upright(48, 54)
  const nose = upright(30)
  const width = upright(45).x - upright(36).x
  const height = mouth.y - eyes.y
  const [straightX, straightY] = [eyes.x + NOSE_PLACE * (mouth.x - eyes.x), eyes.y + NOSE_PLACE * height]
  return {
    yaw: degrees(Math.atan2(nose.x - straightX, DEPTH_BY_WIDTH * width)),
    pitch: degrees(Math.atan2(straightY - nose.y, DEPTH_BY_HEIGHT * height)),
    roll: degrees(angle),
  }
}

const degrees = (radians: number) => (radians * 180) / Math.PI

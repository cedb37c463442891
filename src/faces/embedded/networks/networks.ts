import type { Point } from './alignment.ts'
import { type Box, boxesOf } from './detections.ts'
import { GRIDS } from './detector-graph.ts'
import { LANDMARK_SIZE } from './landmark-graph.ts'
import type { Models } from './models.ts'
import { type Pixels, partOf } from './pixels.ts'
import { RECOGNITION_SIZE } from './recognition-graph.ts'
import type { Model, Numbers } from './runtime.ts'

/** The three networks of @vladmandic/face-api. */
export interface Networks {
  /** Where faces may be in a picture: all boxes with a score above `minScore`. A face may have several. It sees the
   *  picture as it is, so faces should have 20 pixels and more. */
  detectFaces(picture: Pixels, minScore: number): Promise<Box[]>
  /** The same for faces of at most 100 pixels, in four fifths of the time. */
  detectSmallFaces(picture: Pixels, minScore: number): Promise<Box[]>
  /** The 68 landmarks of each face that fills a square of LANDMARK_SIZE, in fractions of it. */
  findLandmarks(squares: readonly Float32Array[]): Promise<Point[][]>
  /** The 128 numbers of each aligned face in a square of RECOGNITION_SIZE. */
  describeFaces(squares: readonly Float32Array[]): Promise<Float32Array[]>
}

/** The sides of a picture are filled up to a multiple of this. With less, the grids of the detector would not fit. */
const SIDE_STEP = 32

export function createNetworks({ detector, finestGrid, landmarks, recognition }: Models): Networks {
  return {
    detectFaces: (picture, minScore) => detect(detector, GRIDS, picture, minScore),
    detectSmallFaces: (picture, minScore) => detect(finestGrid, 1, picture, minScore),

    async findLandmarks(squares) {
      const answer = await landmarks.run(together(squares, LANDMARK_SIZE))
      const point = (row: Float32Array, index: number) => ({ x: row[2 * index]!, y: row[2 * index + 1]! })
      return rowsOf(answer.landmarks!).map((row) =>
        Array.from({ length: row.length / 2 }, (_, index) => point(row, index)),
      )
    },

    async describeFaces(squares) {
      const answer = await recognition.run(together(squares, RECOGNITION_SIZE))
      return rowsOf(answer.descriptors!)
    },
  }
}

async function detect(detector: Model, grids: number, picture: Pixels, minScore: number): Promise<Box[]> {
  const { data, width, height } = filledUp(picture)
  const outputs = await detector.run({ data, dims: [1, height, width, 3] })
  return Array.from({ length: grids }, (_, grid) => {
    const [scores, boxes] = [outputs[`scores${grid}`]!, outputs[`boxes${grid}`]!]
    const [, , rows, columns] = scores.dims as [number, number, number, number]
    return boxesOf(grid, { rows, columns, scores: scores.data, boxes: boxes.data }, minScore)
  }).flat()
}

/** Adds black pixels to the right and below. */
function filledUp(picture: Pixels): Pixels {
  const filled = (side: number) => Math.ceil(side / SIDE_STEP) * SIDE_STEP
  const [width, height] = [filled(picture.width), filled(picture.height)]
  return partOf(picture, { left: 0, top: 0, width, height })
}

/** Squares of `side` pixels, one after another. */
function together(squares: readonly Float32Array[], side: number): Numbers {
  const data = new Float32Array(squares.length * side * side * 3)
  for (const [index, square] of squares.entries()) data.set(square, index * square.length)
  return { data, dims: [squares.length, side, side, 3] }
}

/** @param numbers one row for each face */
function rowsOf({ data, dims }: Numbers): Float32Array[] {
  const [rows, length] = dims as [number, number]
  return Array.from({ length: rows }, (_, row) => data.slice(row * length, (row + 1) * length))
}

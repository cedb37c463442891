/** Where the detector expects faces: in every cell of every grid, it moves and stretches these boxes. They are those of
 *  TensorFlow's SSD (create_ssd_anchors in object_detection/anchor_generators/multiple_grid_anchor_generator.py). The
 *  network was trained on pictures of 512 × 512 pixels; in a larger picture the boxes are the same, but there are more. */

interface Grid {
  /** Pixels from one cell to the next. */
  step: number
  /** Pixels. */
  anchors: readonly { width: number; height: number }[]
}

const TRAINED_SIZE = 512
/** The scale of each grid's boxes, as a part of the picture's side. The last entry is only the next scale of the last
 *  grid. */
const SCALES = [0.2, 0.35, 0.5, 0.65, 0.8, 0.95, 1]
/** Width by height. */
const RATIOS = [1, 2, 0.5, 3, 0.3333]

export const GRID_ANCHORS: readonly Grid[] = SCALES.slice(0, -1).map((scale, grid) => ({
  step: 16 * 2 ** grid,
  anchors:
    grid === 0
      ? [anchor(0.1, 1), anchor(scale, 2), anchor(scale, 0.5)]
      : RATIOS.flatMap((ratio) =>
          ratio === 1
            ? [anchor(scale, 1), anchor(Math.sqrt(scale * SCALES[grid + 1]!), 1)]
            : [anchor(scale, ratio)],
        ),
}))

function anchor(scale: number, ratio: number): { width: number; height: number } {
  const side = scale * TRAINED_SIZE
  return { width: side * Math.sqrt(ratio), height: side / Math.sqrt(ratio) }
}

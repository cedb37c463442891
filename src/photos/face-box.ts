import type { FaceTable } from '../database/schema.ts'
import type { BoundingBox } from '../faces/face-index.ts'

/** A box as `faces` has it. */
export type BoxColumns = Pick<FaceTable, 'box_left' | 'box_top' | 'box_width' | 'box_height'>

export const boxOf = (row: BoxColumns): BoundingBox => ({
  left: row.box_left,
  top: row.box_top,
  width: row.box_width,
  height: row.box_height,
})

export const boxColumns = ({ left, top, width, height }: BoundingBox): BoxColumns => ({
  box_left: left,
  box_top: top,
  box_width: width,
  box_height: height,
})

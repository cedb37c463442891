import { uuidOf } from '../../database/uuid.ts'
import { CODES_IN_ONE, encode } from './descriptor-codes.ts'
import { DESCRIPTOR_LENGTH, FACE_ID_BYTES, type FaceChunk } from './descriptor-store.ts'
import { type Probe, rowsNear } from './near-codes.ts'

const ID_WORDS = FACE_ID_BYTES / Int32Array.BYTES_PER_ELEMENT
const CODE_WORDS = DESCRIPTOR_LENGTH / Int32Array.BYTES_PER_ELEMENT
const BYTES_PER_FACE = DESCRIPTOR_LENGTH + FACE_ID_BYTES + Float32Array.BYTES_PER_ELEMENT

/** Larger blocks would waste more memory at the end of an album. */
const MOST_IN_BLOCK = 16_384

/** Faces in memory as codes: each number of a descriptor as one byte instead of four. They tell which faces cannot
 *  be within a distance. The others have to be compared exactly.
 *
 *  No face within the distance is missed. Let x and p be a stored and a searched descriptor, and q and r what their
 *  codes stand for. By the triangle inequality |x − p| ≥ |q − r| − |x − q| − |p − r|. So |q − r| of a face within the
 *  distance is at most the distance + |x − q| + |p − r|. |q − r| is computed from whole numbers without an error, and
 *  |x − q| is stored for each face, rounded up. */
export interface FaceCodes {
  readonly size: number
  /** Bytes of memory in use. */
  readonly bytes: number
  /** Copies what it needs. */
  add(chunk: FaceChunk): void
  remove(faceIds: string[]): void
  /** The ids of all faces that may be within this distance of any of the descriptors. */
  near(descriptors: readonly Float32Array[], distance: number): string[]
  /** A copy of these faces, which stays the same when faces are added or removed here. */
  copyNear(descriptors: readonly Float32Array[], distance: number): FaceCodes
  /** Which of these faces are here. */
  present(faceIds: Iterable<string>): string[]
  /** Removes all faces and gives their memory back at once. The garbage collector may come hours later in a thread
   *  that has nothing to do. */
  clear(): void
}

interface Block {
  buffer: ArrayBuffer
  capacity: number
  count: number
  /** |x − q| of each face, in codes. */
  errors: Float32Array
  ids: Uint8Array
  codes: Int8Array
  /** `ids` and `codes` again, as 32-bit words. */
  idWords: Int32Array
  codeWords: Int32Array
}

/** Some faces of a block. */
interface Part {
  block: Block
  /** Their places in it, in order. */
  faces: number[]
}

/** Bytes of memory for so many faces. */
export const bytesOfFaces = (faces: number) => faces * BYTES_PER_FACE

export function createFaceCodes(): FaceCodes {
  return faceCodesOf([])
}

function faceCodesOf(first: Block[]): FaceCodes {
  let blocks = first
  let size = blocks.reduce((sum, { count }) => sum + count, 0)
  let bytes = blocks.reduce((sum, { buffer }) => sum + buffer.byteLength, 0)

  function blockFor(count: number): Block {
    const last = blocks.at(-1)
    if (last && last.count < last.capacity) return last
    const block = createBlock(Math.max(count, Math.min(size >> 2, MOST_IN_BLOCK)))
    blocks.push(block)
    bytes += block.buffer.byteLength
    return block
  }

  function free(block: Block): void {
    bytes -= block.buffer.byteLength
    block.buffer.transfer(0)
  }

  /** All faces that may be within this distance of any of the descriptors. */
  function partsNear(descriptors: readonly Float32Array[], distance: number): Part[] {
    const probes = descriptors.map((descriptor) => probeOf(descriptor, distance))
    return blocks.map((block) => ({ block, faces: rowsNear(block, probes) }))
  }

  function partsWith(faceIds: Iterable<string>): Part[] {
    const wanted = new Set(faceIds)
    // Most faces differ in the first bytes, which costs less than to write each id as text.
    const beginnings = new Set([...wanted].map((id) => Number.parseInt(id.slice(0, 4), 16)))
    return blocks.map((block) => {
      const faces: number[] = []
      for (let face = 0; face < block.count; face++) {
        const at = face * FACE_ID_BYTES
        if (!beginnings.has((block.ids[at]! << 8) | block.ids[at + 1]!)) continue
        if (wanted.has(idAt(block, face))) faces.push(face)
      }
      return { block, faces }
    })
  }

  return {
    get size() {
      return size
    },
    get bytes() {
      return bytes
    },

    add({ count, faceIds, descriptors }) {
      for (let from = 0; from < count; ) {
        const block = blockFor(count - from)
        const added = Math.min(count - from, block.capacity - block.count)
        const ids = faceIds.subarray(from * FACE_ID_BYTES, (from + added) * FACE_ID_BYTES)
        block.ids.set(ids, block.count * FACE_ID_BYTES)
        for (const until = from + added; from < until; from++) {
          const at = block.count * DESCRIPTOR_LENGTH
          block.errors[block.count++] = encode(descriptors, from * DESCRIPTOR_LENGTH, block.codes, at)
        }
        size += added
      }
    },

    remove(faceIds) {
      // From the end, because the last face of a block takes the place of the removed one.
      for (const { block, faces } of partsWith(faceIds))
        for (const face of faces.reverse()) {
          copyFace(block, block.count - 1, block, face)
          block.count--
          size--
        }
      for (const block of blocks) if (block.count === 0) free(block)
      blocks = blocks.filter(({ count }) => count > 0)
    },

    near: (descriptors, distance) => idsOf(partsNear(descriptors, distance)),

    copyNear(descriptors, distance) {
      const parts = partsNear(descriptors, distance)
      const count = parts.reduce((sum, { faces }) => sum + faces.length, 0)
      if (count === 0) return createFaceCodes()
      const copy = createBlock(count)
      for (const { block, faces } of parts)
        for (const face of faces) copyFace(block, face, copy, copy.count++)
      return faceCodesOf([copy])
    },

    present: (faceIds) => idsOf(partsWith(faceIds)),

    clear() {
      for (const block of blocks) free(block)
      blocks = []
      size = 0
    },
  }
}

function createBlock(capacity: number): Block {
  const buffer = new ArrayBuffer(bytesOfFaces(capacity))
  const ids = capacity * Float32Array.BYTES_PER_ELEMENT
  const codes = ids + capacity * FACE_ID_BYTES
  return {
    buffer,
    capacity,
    count: 0,
    errors: new Float32Array(buffer, 0, capacity),
    ids: new Uint8Array(buffer, ids, capacity * FACE_ID_BYTES),
    codes: new Int8Array(buffer, codes, capacity * DESCRIPTOR_LENGTH),
    idWords: new Int32Array(buffer, ids, capacity * ID_WORDS),
    codeWords: new Int32Array(buffer, codes, capacity * CODE_WORDS),
  }
}

function copyFace(from: Block, face: number, to: Block, place: number): void {
  to.errors[place] = from.errors[face]!
  copyRow(from.idWords, face, to.idWords, place, ID_WORDS)
  copyRow(from.codeWords, face, to.codeWords, place, CODE_WORDS)
}

/** A loop, because a view of each row takes longer to make than its words to copy. */
function copyRow(from: Int32Array, row: number, to: Int32Array, place: number, length: number): void {
  for (let i = 0; i < length; i++) to[place * length + i] = from[row * length + i]!
}

const idsOf = (parts: Part[]) => parts.flatMap(({ block, faces }) => faces.map((face) => idAt(block, face)))

const idAt = (block: Block, face: number) => uuidOf(block.ids, face * FACE_ID_BYTES)

/** Its reach is the distance plus the descriptor's distance from what its codes mean. */
function probeOf(descriptor: Float32Array, distance: number): Probe {
  const codes = new Int8Array(DESCRIPTOR_LENGTH)
  const error = encode(descriptor, 0, codes, 0)
  // Slightly more than the distance, because the exact one is a rounded number, too.
  return { codes, reach: distance * CODES_IN_ONE * (1 + 1e-9) + error }
}

import type pg from 'pg'
import { type Db, dbOf } from '../../database/client.ts'
import { copyOut } from '../../database/copy-out.ts'
import {
  type DescribedFaceRow,
  descriptorsOfFaces,
  descriptorsTogether,
  idsInPhotos,
} from './described-face-queries.ts'
import { descriptorsBetween, readStates, removalsBetween, upsertStrangers } from './descriptor-queries.ts'
import {
  type CollectionState,
  DESCRIPTOR_LENGTH,
  type DescriptorReader,
  FACE_ID_BYTES,
  type FaceChunk,
} from './descriptor-store.ts'
import { sideWhenDescribed, strictnessOf } from './face-trust.ts'
import type { AlbumFace } from './find-person.ts'

/** How many photos, and faces of each, are read. More than two faces, because some are too poor to be measured. */
const TOGETHER = { photos: 500, faces: 4 }

const FACES_IN_CHUNK = 1_000
const DESCRIPTOR_BYTES = DESCRIPTOR_LENGTH * Float32Array.BYTES_PER_ELEMENT

/** Where the columns are in a row of COPY: after the number of columns, and each after its length. */
const FACE_ID_AT = 2 + 4
const DESCRIPTOR_AT = FACE_ID_AT + FACE_ID_BYTES + 4

/** Reads the embedded engine's descriptors from Postgres. An album is loaded by one COPY in binary form.
 *
 *  Measured in one run with 450,000 faces: processor time of this process and of Postgres. With pages one waits for the
 *  other; otherwise both work at the same time, so the larger figure counts.
 *
 *  | way | here | Postgres | ÷ COPY |
 *  |---|---|---|---|
 *  | pages of 5,000 rows, each from the album's beginning | 2.1 s | 2.1 s | 7.4 |
 *  | pages that begin after the last row | 1.4 s | 1.1 s | 4.3 |
 *  | one COPY in binary form | 0.58 s | 0.56 s | 1 |
 *  | the same in rows packed by 4,096 faces | 0.48 s | 0.27 s | 0.8 |
 *  | codes in packed rows | 0.07 s | 0.06 s | 0.1 |
 *
 *  Packed rows need a second table, which must be right while faces come and go. That is not worth it as long as a load takes less than a second and begins before the search. A binary query
 *  without COPY does not work: node-postgres decodes its answers as UTF-8. */
export function createPostgresDescriptorReader(pool: pg.Pool): DescriptorReader {
  const db = dbOf(pool)

  return {
    ...collectionsIn(db),

    async removedFaces(albumId, after, state) {
      const removals = await removalsBetween(db, albumId, { after, upTo: state.revision })
      return isComplete(removals, after, state) ? removals.flatMap(({ face_ids }) => face_ids) : undefined
    },

    async load(albumId, range, onChunk) {
      const chunk = createChunk()
      await copyOut(pool, descriptorsBetween(db, albumId, range), (row) => {
        chunk.add(row)
        if (chunk.current.count < FACES_IN_CHUNK) return
        onChunk(chunk.current)
        chunk.current.count = 0
      })
      if (chunk.current.count > 0) onChunk(chunk.current)
    },

    facesOf: (albumId, faceIds) => readFaces(db, albumId, faceIds),

    async facesInPhotos(photoIds) {
      return (await idsInPhotos(db, photoIds)).map(({ face_id }) => face_id)
    },

    close: () => db.destroy(),
  }
}

/** Whether these are all removals after the revision `after` up to the state's last one. Old ones
 *  are forgotten. */
function isComplete(
  removals: { revision: string; former_revision: string }[],
  after: number,
  { removedRevision }: CollectionState,
): boolean {
  let known = after
  for (const { revision, former_revision } of removals) {
    if (Number(former_revision) > known) return false
    known = Number(revision)
  }
  return known >= removedRevision
}

/** What is known of collections without loading them. */
export function collectionsIn(db: Db): Pick<DescriptorReader, 'states' | 'facesTogether' | 'keepStrangers'> {
  return {
    async states(albumIds) {
      const rows = await readStates(db, albumIds)
      return new Map(rows.map((row) => [row.album_id, stateOf(row)]))
    },
    async facesTogether(albumId) {
      return (await descriptorsTogether(db, albumId, TOGETHER)).map(faceOf)
    },
    keepStrangers: (albumId, strangers) => upsertStrangers(db, albumId, strangers),
  }
}

function stateOf({
  revision,
  removed_revision,
  faces_found,
  faces,
  couples,
  median,
  deviation,
}: Awaited<ReturnType<typeof readStates>>[number]): CollectionState {
  return {
    revision: Number(revision),
    removedRevision: Number(removed_revision),
    faces: faces_found ?? 0,
    ...(faces !== null && {
      strangers: { faces, couples: couples!, median: median!, deviation: deviation! },
    }),
  }
}

function faceOf(row: DescribedFaceRow): AlbumFace {
  const { box_width, box_height, width, height } = row
  const side =
    box_width !== null && box_height !== null && width !== null && height !== null
      ? sideWhenDescribed({ width: box_width, height: box_height }, { width, height })
      : undefined
  return {
    faceId: row.face_id,
    photoId: row.photo_id,
    descriptor: fromBytes(row.descriptor),
    strictness: strictnessOf(row, side),
  }
}

function createChunk(): { current: FaceChunk; add(row: Buffer): void } {
  const bytes = new Uint8Array(FACES_IN_CHUNK * DESCRIPTOR_BYTES)
  const current: FaceChunk = {
    count: 0,
    faceIds: new Uint8Array(FACES_IN_CHUNK * FACE_ID_BYTES),
    // Little-endian, as on every machine that Node 24 runs on.
    descriptors: new Float32Array(bytes.buffer),
  }
  return {
    current,
    add(row) {
      row.copy(current.faceIds, current.count * FACE_ID_BYTES, FACE_ID_AT, FACE_ID_AT + FACE_ID_BYTES)
      row.copy(bytes, current.count * DESCRIPTOR_BYTES, DESCRIPTOR_AT, DESCRIPTOR_AT + DESCRIPTOR_BYTES)
      current.count++
    },
  }
}

/** These faces. Those that are not in the album are missing from the answer. */
export async function readFaces(db: Db, albumId: string, faceIds: string[]): Promise<AlbumFace[]> {
  const rows = await descriptorsOfFaces(db, faceIds)
  return rows.filter((row) => row.album_id === albumId).map(faceOf)
}

function fromBytes(bytes: Buffer): Float32Array {
  // A copy, because a Float32Array needs an offset that is a multiple of four.
  return new Float32Array(new Uint8Array(bytes).buffer)
}

import type { FaceIndex } from '../../faces/face-index.ts'
import type { FaceRecord, FaceRecords } from '../../faces/rekognition/face-record-queries.ts'

/** Keeps in memory what the table `faces` keeps of indexed faces. */
export function createMemoryFaceRecords(): {
  records: FaceRecords
  /** The same index, which also records what it indexes. */
  recording(index: FaceIndex): FaceIndex
} {
  const known = new Map<string, FaceRecord>()
  return {
    records: async (albumIds, faceIds) =>
      new Map(
        faceIds
          .flatMap((id) => known.get(id) ?? [])
          .filter(({ albumId }) => albumIds.includes(albumId))
          .map((record) => [record.faceId, record]),
      ),
    recording: (index) => ({
      ...index,
      async indexPhoto(albumId, photoId, ...rest) {
        const indexed = await index.indexPhoto(albumId, photoId, ...rest)
        for (const { faceId, quality } of indexed.faces)
          known.set(faceId, { faceId, albumId, photoId, quality })
        return indexed
      },
    }),
  }
}

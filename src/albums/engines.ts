import type { EngineName } from '../database/schema.ts'
import type { FaceIndex } from '../faces/face-index.ts'
import type { FormerFaces } from '../faces/former-faces.ts'

/** Does something with the engine of this name.
 *  @returns undefined when it is not configured any more and cannot be had just now */
export function withEngine<Answer>(
  { faces, formerFaces }: { faces: FaceIndex; formerFaces: FormerFaces },
  engine: EngineName,
  work: (index: FaceIndex) => Promise<Answer>,
): Promise<Answer | undefined> {
  return engine === faces.engine ? work(faces) : formerFaces.use(work)
}

/** What a maintainer has to look for when an engine could not be had for so long that its collection is given up. */
export function nameOfCollection(albumId: string, engine: EngineName): string {
  return engine === 'rekognition'
    ? `the collection inframe-${albumId} in Amazon Rekognition`
    : `the rows of album ${albumId} in the table face_collections`
}

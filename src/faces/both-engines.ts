import type { EngineName } from '../database/schema.ts'
import type { FaceIndex } from './face-index.ts'

export interface BothEngines {
  /** The configured engine. */
  faces: FaceIndex
  /** Gives the other one, which may still have faces of albums.
   *  @throws AppError SERVICE_UNAVAILABLE when it cannot be used here */
  otherFaces: () => Promise<FaceIndex>
}

/** The face index of an engine.
 *  @throws AppError SERVICE_UNAVAILABLE */
export async function facesIn({ faces, otherFaces }: BothEngines, engine: EngineName): Promise<FaceIndex> {
  return engine === faces.engine ? faces : await otherFaces()
}

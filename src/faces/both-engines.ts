import type { AppContext } from '../context.ts'
import type { EngineName } from '../database/schema.ts'
import type { FaceIndex } from './face-index.ts'

/** The face index of an engine.
 *  @throws AppError SERVICE_UNAVAILABLE */
export async function facesIn(
  { faces, otherFaces }: Pick<AppContext, 'faces' | 'otherFaces'>,
  engine: EngineName,
): Promise<FaceIndex> {
  return engine === faces.engine ? faces : await otherFaces()
}

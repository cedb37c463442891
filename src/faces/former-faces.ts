import type { EngineName } from '../database/schema.ts'
import { hasCode } from '../errors.ts'
import type { Log } from '../log.ts'
import type { FaceIndex } from './face-index.ts'

/** Ms until an unavailable engine is asked again, so that searches do not wait for it each time. */
const REST_MS = 60_000

/** The former engine: the one that is not configured. Albums may still have faces in it. */
export interface FormerFaces {
  readonly engine: FaceIndex['engine']
  /** Runs `work` with the engine, which is created when it is first needed.
   *  @returns undefined when the engine is unavailable, which is logged once */
  use<Answer>(work: (faces: FaceIndex) => Promise<Answer>): Promise<Answer | undefined>
  close(): Promise<void>
}

/** @param options.create may fail */
export function createFormerFaces(options: {
  engine: FaceIndex['engine']
  create: () => Promise<FaceIndex>
  log: Log
}): FormerFaces {
  const { engine, create, log } = options
  let created: Promise<FaceIndex> | undefined
  let unavailableAt: number | undefined

  function reportUnavailable(error: unknown): undefined {
    if (unavailableAt === undefined)
      log.warn(
        { engine, err: error },
        'Some albums still have faces in a former engine that is unavailable. Until their photos have moved, searches find only the moved ones',
      )
    unavailableAt = Date.now()
  }

  async function createdEngine(): Promise<FaceIndex> {
    created ??= create()
    try {
      return await created
    } catch (error) {
      created = undefined
      throw error
    }
  }

  return {
    engine,
    async use(work) {
      if (unavailableAt !== undefined && Date.now() - unavailableAt < REST_MS) return undefined
      let faces: FaceIndex
      try {
        faces = await createdEngine()
      } catch (error) {
        return reportUnavailable(error)
      }
      try {
        const answer = await work(faces)
        unavailableAt = undefined
        return answer
      } catch (error) {
        if (hasCode(error, 'SERVICE_UNAVAILABLE')) return reportUnavailable(error)
        throw error
      }
    },
    async close() {
      const faces = await created?.catch(() => undefined)
      await faces?.close()
    },
  }
}

/** Runs `work` with the engine of this name.
 *  @returns undefined when it is the former engine, and unavailable */
export function withEngine<Answer>(
  { faces, formerFaces }: { faces: FaceIndex; formerFaces: FormerFaces },
  engine: EngineName,
  work: (index: FaceIndex) => Promise<Answer>,
): Promise<Answer | undefined> {
  return engine === faces.engine ? work(faces) : formerFaces.use(work)
}

/** What a maintainer has to look for when a collection is given up because its engine was unavailable for too long. */
export function nameOfCollection(albumId: string, engine: EngineName): string {
  return engine === 'rekognition'
    ? `the collection inframe-${albumId} in Amazon Rekognition`
    : `the rows of album ${albumId} in the table faces`
}

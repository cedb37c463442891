import { AppError } from '../errors.ts'
import type { Log } from '../log.ts'
import type { FaceIndex } from './face-index.ts'

/** Ms for which an engine that could not be had is not asked again: nobody's search waits for it each time. */
const REST_MS = 60_000

/** The face engine that is not configured, for albums that still have faces in it. */
export interface FormerFaces {
  readonly engine: FaceIndex['engine']
  /** Does something with the engine, which is made when it is first needed.
   *  @returns undefined when the engine cannot be had, of which the log is told once */
  use<Answer>(work: (faces: FaceIndex) => Promise<Answer>): Promise<Answer | undefined>
  close(): Promise<void>
}

/** @param options.make may fail */
export function createFormerFaces(options: {
  engine: FaceIndex['engine']
  make: () => Promise<FaceIndex>
  log: Log
}): FormerFaces {
  const { engine, make, log } = options
  let made: Promise<FaceIndex> | undefined
  let awaySince: number | undefined

  function missed(error: unknown): undefined {
    if (awaySince === undefined)
      log.warn(
        { engine, err: error },
        'Some albums still have faces in a face engine that cannot be had: until their photos have moved, searches find only those that have',
      )
    awaySince = Date.now()
  }

  async function have(): Promise<FaceIndex> {
    made ??= make()
    try {
      return await made
    } catch (error) {
      made = undefined
      throw error
    }
  }

  return {
    engine,
    async use(work) {
      if (awaySince !== undefined && Date.now() - awaySince < REST_MS) return undefined
      let faces: FaceIndex
      try {
        faces = await have()
      } catch (error) {
        return missed(error)
      }
      try {
        const answer = await work(faces)
        awaySince = undefined
        return answer
      } catch (error) {
        if (error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE') return missed(error)
        throw error
      }
    },
    async close() {
      const faces = await made?.catch(() => undefined)
      await faces?.close()
    },
  }
}

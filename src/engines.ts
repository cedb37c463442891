import { availableParallelism } from 'node:os'
import { type Config, ConfigError } from './config.ts'
import type { AppContext } from './context.ts'
import type { DatabaseAddress, Db } from './database/client.ts'
import { BLANK_PICTURE } from './faces/blank-picture.ts'
import { createEmbeddedFaceIndex } from './faces/embedded/embedded-face-index.ts'
import {
  createFaceWorkers,
  type FaceWorkers,
  type FaceWorkersOptions,
} from './faces/embedded/networks/face-workers.ts'
import type { RuntimeName } from './faces/embedded/networks/runtime.ts'
import { createSearchThread } from './faces/embedded/search-thread.ts'
import { serviceUnavailable } from './faces/errors.ts'
import type { FaceIndex } from './faces/face-index.ts'
import type { Pictures } from './faces/pictures.ts'
import { createFaceRecords } from './faces/rekognition/face-record-queries.ts'
import type { RekognitionOptions } from './faces/rekognition/rekognition-face-index.ts'
import { createLog, type Log } from './log.ts'
import { createDecoders } from './photos/decoders.ts'
import { processFault } from './processes/task-fault.ts'

interface Parts {
  db: Db
  /** The address of the same database. */
  address: DatabaseAddress
  log: Log
  /** Decodes pictures for Amazon Rekognition. */
  pictures: Pictures
  /** Further settings of the client of Amazon Rekognition. */
  client?: RekognitionOptions['client']
  /** Lets the embedded engine start its processes only when the first picture arrives. */
  startsLate?: boolean
  /** By default the embedded engine creates them. */
  workers?: FaceWorkers
}

/** The configured face engine.
 *  @throws ConfigError */
export async function configuredFaces(config: Config, parts: Parts): Promise<FaceIndex> {
  if (config.faces.kind === 'embedded') {
    const { size } = embeddedSize(config)
    const { runtime } = config.faces
    return await embeddedFaces(parts, { size, runtime })
  }
  try {
    return await rekognitionFaces(config.faces, parts)
  } catch (error) {
    throw new ConfigError(
      `FACES: Amazon Rekognition cannot be used (${(error as Error).message}). Set AWS_REGION.`,
      { cause: error },
    )
  }
}

/** How many processes the embedded engine has for photos, and how many for selfies, at the most; and why so many, in words
 *  for the maintainer.
 *  @param cores of this machine */
export function embeddedSize(
  { role, faces }: Pick<Config, 'role' | 'faces'>,
  cores = availableParallelism(),
): { size: number; why: string } {
  if (faces.workers !== undefined) return { size: faces.workers, why: 'as FACE_WORKERS says' }
  if (role === 'web') return { size: 1, why: 'for selfies, because this process indexes no photos' }
  return { size: cores, why: 'one for each core; for photos they give way to all else' }
}

/** The engine that is not configured, created when it is first needed. It only removes and counts faces. */
export function otherEngine(
  config: Config,
  configured: FaceIndex['engine'],
  parts: Parts,
): { faces: AppContext['otherFaces']; close(): Promise<void> } {
  let other: Promise<FaceIndex> | undefined
  const create = (): Promise<FaceIndex> =>
    configured === 'rekognition'
      ? embeddedFaces({ ...parts, startsLate: true }, { size: 1, runtime: config.faces.runtime })
      : rekognitionFaces(config.faces, parts)
  return {
    async faces() {
      other ??= create()
      try {
        return await other
      } catch (error) {
        other = undefined
        throw serviceUnavailable(error)
      }
    },
    async close() {
      const created = await other?.catch(() => undefined)
      await created?.close()
    },
  }
}

/** @throws Error when a process of the engine does not start */
async function embeddedFaces(
  { db, address, log, startsLate, workers: existing }: Parts,
  engine: Pick<FaceWorkersOptions, 'size' | 'runtime'>,
): Promise<FaceIndex> {
  const workers = existing ?? createFaceWorkers({ log, ...engine })
  if (!startsLate) await workers.start().catch((error: unknown) => throwNamed(error, engine.runtime))
  return createEmbeddedFaceIndex({
    db,
    albums: createSearchThread({ address, log }),
    workers,
  })
}

const INSTALL = 'Run npm ci on this machine, which installs what fits it.'

/** Lets a decoder make a picture small.
 *  @param decoders are closed; by default some that log nothing, because the error says all
 *  @throws ConfigError in one line when this machine cannot run the decoders */
export async function tryDecoders(decoders = createDecoders({ log: createLog('silent') })): Promise<void> {
  try {
    await decoders.render('thumb', async () => BLANK_PICTURE)
  } catch (error) {
    const fault = processFault(error)
    if (!fault) throw error
    const advice =
      fault.signal === 'SIGILL'
        ? 'Its processor lacks instructions that sharp needs: run Inframe on arm64, or on x64 with SSE4.2.'
        : INSTALL
    throw new ConfigError(`Pictures cannot be decoded on this machine: ${fault.reason}. ${advice}`, {
      cause: error,
    })
  } finally {
    await decoders.close()
  }
}

/** @throws ConfigError in one line when the engine does not run on this machine */
function throwNamed(error: unknown, runtime: RuntimeName | undefined): never {
  const fault = processFault(error)
  if (!fault) throw error
  const lacks =
    fault.signal === 'SIGILL' ? ", because it needs instructions that this machine's processor lacks" : ''
  const advice =
    runtime === 'wasm'
      ? INSTALL
      : 'Set FACE_RUNTIME=wasm, which runs on every processor and takes three times as long.'
  throw new ConfigError(`FACE_RUNTIME: the face engine does not start: ${fault.reason}${lacks}. ${advice}`, {
    cause: error,
  })
}

async function rekognitionFaces(
  { endpoint, tps, photoProcesses }: Config['faces'],
  { db, log, pictures, client }: Parts,
): Promise<FaceIndex> {
  // Loaded only here: the AWS SDK takes 40 MB.
  const { createRekognitionFaceIndex } = await import('./faces/rekognition/rekognition-face-index.ts')
  return await createRekognitionFaceIndex({
    client: { ...(endpoint && { endpoint }), ...client },
    photosPerSecond: tps / photoProcesses,
    pictures,
    records: createFaceRecords(db),
    log,
  })
}

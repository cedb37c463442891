import { type Config, ConfigError } from './config.ts'
import type { DatabaseAddress, Db } from './database/client.ts'
import { createEmbeddedFaceIndex } from './faces/embedded/embedded-face-index.ts'
import { createFaceWorkers, type FaceWorkersOptions } from './faces/embedded/face-workers.ts'
import { createPostgresDescriptorStore } from './faces/embedded/postgres-descriptor-store.ts'
import { createSearchThread } from './faces/embedded/search-thread.ts'
import type { FaceIndex } from './faces/face-index.ts'
import { createFormerFaces, type FormerFaces } from './faces/former-faces.ts'
import { createGovernor, type QuotaGovernor } from './faces/rekognition/governor.ts'
import type { Pictures } from './faces/rekognition/pictures.ts'
import { createQuotaStore } from './faces/rekognition/quota-store.ts'
import type { RekognitionOptions } from './faces/rekognition/rekognition-face-index.ts'
import type { Log } from './log.ts'

interface Parts {
  db: Db
  /** Of the same database. */
  address: DatabaseAddress
  log: Log
  /** Decodes pictures for Amazon Rekognition. */
  pictures: Pictures
  /** Further settings of the client of Amazon Rekognition. */
  client?: RekognitionOptions['client']
  /** Lets the embedded engine start its processes only when the first picture arrives. */
  startsLate?: boolean
}

/** The configured face engine, with the governor that keeps its calls within quotas where there are any.
 *  @throws ConfigError */
export async function configuredFaces(
  { faces: { kind, workers, runtime, ...rekognition } }: Config,
  parts: Parts,
): Promise<{ faces: FaceIndex; governor?: QuotaGovernor }> {
  if (kind === 'embedded') return { faces: await embeddedFaces(parts, { size: workers, runtime }) }
  try {
    return await rekognitionFaces(rekognition, parts)
  } catch (error) {
    throw new ConfigError(
      `FACES: Amazon Rekognition cannot be used (${(error as Error).message}). Set AWS_REGION.`,
      { cause: error },
    )
  }
}

/** The former engine: the one that is not `current`. */
export function formerFacesOf(config: Config, current: FaceIndex['engine'], parts: Parts): FormerFaces {
  const { log } = parts
  if (current === 'rekognition')
    return createFormerFaces({
      engine: 'embedded',
      // One process describes selfies. Removing faces from the database needs none.
      create: () => embeddedFaces({ ...parts, startsLate: true }, { size: 1, runtime: config.faces.runtime }),
      log,
    })
  return createFormerFaces({
    engine: 'rekognition',
    async create() {
      // Missing credentials are reported once, by the warning that this engine is unavailable.
      const { faces } = await rekognitionFaces(config.faces, {
        ...parts,
        log: log.child({}, { level: 'silent' }),
      })
      return faces
    },
    log,
  })
}

/** @throws Error when a process of the engine does not start */
async function embeddedFaces(
  { db, address, log, startsLate }: Parts,
  engine: Pick<FaceWorkersOptions, 'size' | 'runtime'>,
): Promise<FaceIndex> {
  const workers = createFaceWorkers({ log, ...engine })
  if (!startsLate) await workers.start()
  return createEmbeddedFaceIndex({
    store: createPostgresDescriptorStore(db),
    albums: createSearchThread({ address, log }),
    workers,
  })
}

async function rekognitionFaces(
  { endpoint, tps }: Pick<Config['faces'], 'endpoint' | 'tps'>,
  { db, log, pictures, client }: Parts,
): Promise<{ faces: FaceIndex; governor: QuotaGovernor }> {
  // Loaded only here: the AWS SDK takes 40 MB.
  const { createRekognitionFaceIndex } = await import('./faces/rekognition/rekognition-face-index.ts')
  const governor = createGovernor({ store: createQuotaStore(db), rate: tps, log })
  try {
    const faces = await createRekognitionFaceIndex({
      client: { ...(endpoint && { endpoint }), ...client },
      governor,
      pictures,
      log,
    })
    return { faces, governor }
  } catch (error) {
    await governor.close()
    throw error
  }
}

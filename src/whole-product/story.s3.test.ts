import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ListObjectsV2Command } from '@aws-sdk/client-s3'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createFaceWorkers, type FaceWorkers } from '../faces/embedded/face-workers.ts'
import { createLog } from '../log.ts'
import { createBucket, plainS3, s3Server } from '../testing/bucket.ts'
import { createTestDatabase, databaseUrl } from '../testing/database.ts'
import { type Fleet, startFleet } from '../testing/fleet.ts'
import { startMailServer } from '../testing/mail-server.ts'
import { recogniseWith } from '../testing/rekognition/recogniser.ts'
import { startStandInRekognition } from '../testing/rekognition/stand-in.ts'
import { runStory } from '../testing/story.ts'

/** Called after each test, the last one first. */
let closers: (() => Promise<unknown>)[]
beforeEach(() => {
  closers = []
})
afterEach(async () => {
  for (const close of closers.reverse()) await close()
  vi.unstubAllEnvs()
})

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'inframe-story-'))
  closers.push(() => rm(folder, { recursive: true }))
  return folder
}

describe('everything that an owner and a guest do, on S3, Rekognition, a mail server and a Postgres', () => {
  let engine: FaceWorkers
  beforeAll(async () => {
    engine = createFaceWorkers({ log: createLog('silent'), size: 1 })
    return () => engine.close()
  })

  async function startCloud() {
    const { endpoint, owner } = await s3Server()
    const { bucket } = await createBucket()
    const database = await createTestDatabase()
    closers.push(() => database.drop())
    const mailServer = await startMailServer()
    closers.push(() => mailServer.close())
    const rekognition = await startStandInRekognition({
      recognise: recogniseWith(async (image) => (await engine.describePhoto(image)).faces),
      // S3 and Rekognition are called with the same credentials.
      credentials: owner,
      quotas: { IndexFaces: 5, SearchFacesByImage: 5 },
      latencyMs: () => 100,
    })
    closers.push(() => rekognition.close())
    const fleet = await startFleet(
      {
        DATABASE_URL: databaseUrl(database.address),
        SECRET_KEY: 'a secret for tests that is as long as a real one',
        DATA_DIR: await temporaryFolder(),
        S3_BUCKET: bucket,
        S3_ENDPOINT: endpoint,
        S3_FORCE_PATH_STYLE: 'true',
        FACES: 'rekognition',
        REKOGNITION_ENDPOINT: rekognition.endpoint,
        AWS_REGION: rekognition.region,
        AWS_ACCESS_KEY_ID: owner.accessKeyId,
        AWS_SECRET_ACCESS_KEY: owner.secretAccessKey,
        SMTP_URL: `smtp://127.0.0.1:${mailServer.port}?tls.rejectUnauthorized=false`,
        MAIL_FROM: 'Inframe <inframe@example.com>',
      },
      { webs: 2, workers: 3 },
    )
    closers.push(() => fleet.close())
    return { bucket, mailServer, rekognition, fleet }
  }

  test('works in two web and three worker processes, while one of each is killed and started again', async () => {
    const { bucket, mailServer, rekognition, fleet } = await startCloud()
    let killed: Fleet['webs'] = []
    await runStory({
      url: fleet.url,
      lettersTo: async (address) =>
        mailServer.received.filter(({ to }) => to.includes(address)).map(({ message }) => message),
      when: {
        async uploading() {
          const receiving = await fleet.balancer.nextTo(/upload-photos$/)
          killed = [fleet.webs.find(({ url }) => url === receiving)!, fleet.workers[0]!]
          await Promise.all(killed.map((member) => member.kill()))
        },
        indexing: async () => void (await Promise.all(killed.map((member) => member.start()))),
        async erased({ id }) {
          const s3 = await plainS3()
          const left = await s3.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: `albums/${id}/` }))
          s3.destroy()
          expect(left.KeyCount ?? 0).toBe(0)
          expect(rekognition.count('DeleteCollection')).toBe(1)
        },
      },
    })
  })
})

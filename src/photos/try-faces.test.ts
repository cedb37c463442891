import { ListCollectionsCommand, RekognitionClient } from '@aws-sdk/client-rekognition'
import { afterAll, afterEach, expect, test } from 'vitest'
import type { FaceIndex } from '../faces/face-index.ts'
import { createDiskStorage } from '../storage/disk.ts'
import { folderOfFile } from '../testing/folder-of-file.ts'
import { indexOn } from '../testing/rekognition/index-on.ts'
import { startStandInRekognition } from '../testing/rekognition/stand-in.ts'
import { tryFaces } from './try-faces.ts'

const disk = await createDiskStorage(await folderOfFile())
let faces: FaceIndex

const service = await startStandInRekognition({
  recognise: async () => [],
  fetchObject: async (bucket, key) => (bucket === 'in-reach' ? await disk.read(key) : undefined),
})
afterAll(() => service.close())
afterEach(() => faces.close())

/** Tries the engine with the photos in a bucket. */
async function tryWith(bucket: string | undefined) {
  faces = await indexOn(service)
  return await tryFaces({ storage: { ...disk, bucket }, faces })
}

test.each([
  ['that the service can read', 'in-reach', false],
  ['that it cannot read', 'elsewhere', true],
  ['that is not at Amazon', undefined, true],
])('says whether a photo in a bucket %s has to be sent', async (_, bucket, isSent) => {
  expect(await tryWith(bucket)).toEqual({ isSent })
})

test.each([
  'CreateCollection',
  'IndexFaces',
  'DetectFaces',
  'SearchFacesByImage',
  'DescribeCollection',
  'ListFaces',
  'DeleteFaces',
])('fails when %s is not allowed', async (denied) => {
  service.fault = (operation) => (operation === denied ? 'AccessDeniedException' : undefined)
  await expect(tryWith('in-reach')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  service.fault = () => undefined
})

test('leaves nothing behind, even after an error', async () => {
  await tryWith('in-reach')
  service.fault = (operation) => (operation === 'IndexFaces' ? 'AccessDeniedException' : undefined)
  await expect(tryWith('in-reach')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  expect(await disk.count('doctor')).toBe(0)
  const { endpoint, region, credentials } = service
  const client = new RekognitionClient({ endpoint, region, credentials })
  expect((await client.send(new ListCollectionsCommand({}))).CollectionIds).toEqual([])
  client.destroy()
})

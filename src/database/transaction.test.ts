import type { KyselyPlugin } from 'kysely'
import { expect, test } from 'vitest'
import type { FoundFaces } from '../photos/index-faces.ts'
import { findFacesOfPhoto } from '../photos/index-faces.ts'
import { album, domain, newAlbumForEachTest } from '../testing/domain.ts'
import { faceIndexWith } from '../testing/engine-answers.ts'
import { samplePath } from '../testing/sample-photos.ts'
import { uploadBatch } from '../uploads/accept-batch.ts'
import { settleIndexed } from '../uploads/settle.ts'
import { withAlbum } from './transaction.ts'

newAlbumForEachTest()

test('a change that waits too long for its album answers 503 and when to come again, and changes nothing', async () => {
  const locked = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const holding = withAlbum(domain.db, album.id, async () => {
    locked.resolve()
    await released.promise
  })
  await locked.promise
  let changed = false
  const late = withAlbum(
    domain.db,
    album.id,
    async () => {
      changed = true
    },
    { waitMs: 1 },
  )
  await expect(late).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfter: 5 })
  expect(changed).toBe(false)
  released.resolve()
  await holding
})

test('a batch of photos locks its album once, and an indexed photo with its preview once', async () => {
  let locks = 0
  const counting: KyselyPlugin = {
    transformQuery({ node }) {
      if (node.kind === 'SelectQueryNode' && node.endModifiers) locks++
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const faces = faceIndexWith({
    async indexPhoto(_albumId, _photoId, source) {
      await source.keepPreview!(Buffer.from('a preview'))
      return { faces: [], unindexed: [] }
    },
  })
  const deps = { ...domain, db: domain.db.withPlugin(counting), faces }
  await uploadBatch(deps, album, {}, [await domain.stage(samplePath(1)), await domain.stage(samplePath(2))])
  expect(locks).toBe(1)
  const { id } = await domain.db
    .selectFrom('photos')
    .select('id')
    .where('album_id', '=', album.id)
    .limit(1)
    .executeTakeFirstOrThrow()
  await settleIndexed(deps, (await findFacesOfPhoto(deps, id, { isRepeat: false })) as FoundFaces)
  expect(locks).toBe(2)
})

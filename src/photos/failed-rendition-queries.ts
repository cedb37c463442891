import type { Db, Trx } from '../database/client.ts'
import type { FailedRendition } from '../database/schema.ts'
import { secondsAgo } from '../database/times.ts'

type RenditionOfPhoto = Pick<FailedRendition, 'album_id' | 'sha256' | 'rendition'>

/** A newer version of Inframe may be able to. */
const TRIED_AGAIN_AFTER_SECONDS = 24 * 3600

/** Why a rendition could not be made within the last day. */
export async function reasonOfFailure(
  db: Db | Trx,
  { album_id, sha256, rendition }: RenditionOfPhoto,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('failed_renditions')
    .select('reason')
    .where('album_id', '=', album_id)
    .where('sha256', '=', sha256)
    .where('rendition', '=', rendition)
    .where('failed_at', '>', secondsAgo(TRIED_AGAIN_AFTER_SECONDS))
    .executeTakeFirst()
  return row?.reason
}

/** Records a failure. Does nothing when the photo has been erased. */
export async function recordFailedRendition(
  db: Db | Trx,
  { album_id, sha256, rendition }: RenditionOfPhoto,
  reason: string,
): Promise<void> {
  await db
    .insertInto('failed_renditions')
    .columns(['album_id', 'sha256', 'rendition', 'reason'])
    .expression((eb) =>
      eb
        .selectFrom('photos')
        .select(['album_id', 'sha256'])
        .select([eb.val(rendition).as('rendition'), eb.val(reason).as('reason')])
        .where('album_id', '=', album_id)
        .where('sha256', '=', sha256)
        // An erasure waits until this is written.
        .forKeyShare(),
    )
    .onConflict((conflict) =>
      conflict.constraint('failed_renditions_once').doUpdateSet((eb) => ({
        reason: eb.ref('excluded.reason'),
        failed_at: eb.fn<Date>('now'),
      })),
    )
    .execute()
}

import type { Connection } from './connection.ts'
import type { EndedUpload } from './ended-upload.ts'
import type { UploadLedger } from './ledger.ts'
import { patiently, UploadStopped } from './patience.ts'
import type { Prepare } from './prepare-photos.ts'
import { isReadable } from './readable.ts'
import { type EngineEvents, type SendBatch, uploadInBatches } from './upload-engine.ts'
import { startOf, type UploadResult, uploadStopped } from './upload-state.ts'

export interface AlbumAccess {
  send: SendBatch
  /** Asks the service about the album. Rejects when the album has been erased. */
  check(): Promise<unknown>
}

export interface SelectionOptions {
  ledger: UploadLedger
  signal: AbortSignal
  connection: Connection
  /** Gives the function that prepares these photos for sending. */
  prepareFor(photos: readonly File[]): Prepare
}

/** Uploads the photos of a selection that this browser has not uploaded to the album before. If there are none, it
 *  asks the service whether the album still exists: it may have been erased since. */
export async function uploadSelection(
  photos: readonly File[],
  album: AlbumAccess,
  events: EngineEvents,
  options: SelectionOptions,
): Promise<EndedUpload> {
  const { ledger } = options
  const missing = photos.filter((photo) => !ledger.has(photo))
  const known = photos.length - missing.length
  const result =
    missing.length === 0
      ? await checkAlbum(album, events, options)
      : await uploadMissing(missing, known, album, events, options)
  if (result.unsent.length === 0 || result.stopped?.reason === 'gone') await ledger.end()
  return { result, known }
}

async function uploadMissing(
  missing: readonly File[],
  known: number,
  album: AlbumAccess,
  events: EngineEvents,
  { ledger, signal, connection, prepareFor }: SelectionOptions,
): Promise<UploadResult> {
  await ledger.begin({ done: known, total: known + missing.length })
  return uploadInBatches(missing, album.send, events, {
    signal,
    connection,
    isReadable,
    prepare: prepareFor(missing),
  })
}

/** @returns the result of an upload of no photos */
async function checkAlbum(
  album: AlbumAccess,
  { onWaiting }: EngineEvents,
  { signal, connection }: SelectionOptions,
): Promise<UploadResult> {
  const nothing = startOf([])
  try {
    await patiently(() => album.check(), { connection, signal, onWaiting })
    return nothing.result
  } catch (error) {
    if (!(error instanceof UploadStopped)) throw error
    return uploadStopped(nothing, error).result
  }
}

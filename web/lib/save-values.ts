/** Writes what saved-values.ts reads. The landing page only reads, so writing is in its own file. */
import { type Organiser, UPLOAD_RECORD, type UploadRecord } from './saved-values.ts'

/** More reasons than this would not fit into the browser's storage. */
const NOT_STORED_KEPT = 200

export function saveOrganiser(organiser: Required<Organiser>): void {
  for (const [key, value] of Object.entries(organiser)) window.localStorage.setItem(key, value)
}

/** Forgets the owner key, and what was saved with it. */
export function forgetOrganiser(): void {
  for (const key of ['userEmail', 'eventName', 'userAlbumId', 'userAlbumSlug'])
    window.localStorage.removeItem(key)
}

export function saveAlbumSlug(slug: string): void {
  window.localStorage.setItem('userAlbumSlug', slug)
}

export function saveUploadRecord(record: UploadRecord): void {
  const notStored = record.notStored?.slice(0, NOT_STORED_KEPT)
  const notStoredCount = record.notStored?.length
  window.localStorage.setItem(UPLOAD_RECORD, JSON.stringify({ ...record, notStored, notStoredCount }))
}

export function forgetUploadRecord(): void {
  window.localStorage.removeItem(UPLOAD_RECORD)
}

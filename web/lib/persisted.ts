/** Everything that the pages keep in a browser: where, under which name, in which form, and until when. `docs/privacy.md`
 *  has a row for each, which a test compares with this file. */
import type { Combination, PossiblePhoto } from '../../src/contract/search.ts'

/** An album of this browser. The first three are the values of §3. */
export interface Organiser {
  userEmail: string
  eventName: string
  /** The owner key. It gives the rights of the album's owner. */
  userAlbumId: string
  /** The album's name in its address. It is missing until the service has said which album the key belongs to. */
  userAlbumSlug?: string
}

export interface NotStored {
  filename: string
  message: string
}

/** Why an upload ended before its last photo: this browser can no longer upload to the album, the service asked for too
 *  long a wait, or the album has no place for more. */
export interface UploadStop {
  reason: 'lost' | 'busy' | 'full'
  message: string
}

/** Written after an upload and read once by /upload-success. */
export interface UploadRecord {
  /** Photos of the selection that are in the album. */
  photoCount: number
  /** Those of them that were there before. When all were, no letter will come. */
  thereBefore: number
  email: string
  /** As it was typed. */
  albumName: string
  albumSlug?: string
  stopped?: UploadStop
  /** Chosen files that are not in the album, each with its reason: the first of `notStoredCount`. */
  notStored: NotStored[]
  notStoredCount: number
}

/** What a guest has let this browser keep of them, for one album. */
export interface Remembered {
  /** Finds the guest without a selfie. Only the service can read it. */
  searchToken: string
  /** When it ends, as an ISO date. */
  endsAt: string
  /** The ids of the photos that the last visit found. */
  photoIds: string[]
}

/** Letters about new photos that a guest has asked for in this browser. */
export interface KeptAlert {
  /** Ends the letters. */
  endToken: string
  /** When they end by themselves, as an ISO date. */
  endsAt: string
}

/** The search whose results a tab shows. There is no selfie in it, and the service refuses what has ended. */
export interface KeptSearch {
  searchToken: string
  answers: readonly { photo: PossiblePhoto; isMe: boolean }[]
  other?: { searchToken: string; combine: Combination } | undefined
}

/** Whether what is kept can be used. Only these pages write it, so it looks at the texts without which nothing would work. */
type Schema = (value: unknown) => boolean
const text: Schema = (value) => typeof value === 'string'
const texts =
  (...names: string[]): Schema =>
  (value) =>
    names.every((name) => text(Object(value)[name]))
const organisers: Schema = (value) =>
  Array.isArray(value) && value.every(texts('userEmail', 'eventName', 'userAlbumId'))

/** A name that ends with a space is followed by that of an album. What has a time `endsAt` ends then; everything else ends as
 *  is said here. */
export const KEPT = {
  /** All albums whose owner keys the browser has, until the organiser logs out of each. */
  ownAlbums: persisted<Organiser[]>('localStorage', 'ownAlbums', organisers),
  /** The album in hand, as §3 names it, until the organiser logs out of it or takes another one. */
  userEmail: persisted<string>('localStorage', 'userEmail', text),
  eventName: persisted<string>('localStorage', 'eventName', text),
  userAlbumId: persisted<string>('localStorage', 'userAlbumId', text),
  userAlbumSlug: persisted<string>('localStorage', 'userAlbumSlug', text),
  /** Until it is shown. */
  uploadRecord: persisted<UploadRecord>('localStorage', 'uploadSuccess', texts('email', 'albumName')),
  remembered: persisted<Remembered>('localStorage', 'remembered ', texts('searchToken', 'endsAt')),
  alert: persisted<KeptAlert>('localStorage', 'letters ', texts('endToken', 'endsAt')),
  /** Until another search, or the end of its hour. */
  search: persisted<KeptSearch>('sessionStorage', 'search ', texts('searchToken')),
}
/** The database with what was uploaded: `features/own-albums/upload-history.ts`. Until the upload page is opened after the
 *  organiser has logged out of the album. */
export const UPLOADS_DATABASE = 'inframe-uploads'

function persisted<Value>(place: 'localStorage' | 'sessionStorage', name: string, schema: Schema) {
  const isOfGuest = name.endsWith(' ')
  const isText = schema === text

  function valueAt(key: string): Value | null {
    try {
      const kept = window[place].getItem(key)
      if (kept === null) return null
      const value = isText ? kept : JSON.parse(kept)
      const { endsAt } = Object(value)
      return schema(value) && (endsAt === undefined || Date.parse(endsAt) > Date.now()) ? value : null
    } catch {
      return null
    }
  }
  function remove(isMeant: (key: string) => boolean): void {
    try {
      for (const key of Object.keys(window[place]))
        if (key.startsWith(name) && isMeant(key)) window[place].removeItem(key)
    } catch {
      // The browser's settings refuse storage, so nothing is kept.
    }
  }
  return {
    /** Null when nothing is kept, or it has ended or is unreadable. Of a guest that is deleted, whatever the album.
     *  @param albumName of what is kept of a guest */
    read(albumName = ''): Value | null {
      if (isOfGuest) remove((key) => valueAt(key) === null)
      return valueAt(name + albumName)
    },
    /** @returns false when the browser's settings refuse storage, or it is full. Then nothing has changed. */
    write(value: Value, albumName = ''): boolean {
      try {
        window[place].setItem(name + albumName, isText ? String(value) : JSON.stringify(value))
        return true
      } catch {
        return false
      }
    },
    /** Without an album's name, what is kept for all albums is forgotten. */
    forget: (albumName = '') => remove((key) => key === name + albumName || (isOfGuest && albumName === '')),
  }
}

/** Whether the browser keeps anything now. */
export function canKeep(): boolean {
  const probe = persisted<string>('localStorage', 'probe', text)
  const isKept = probe.write('probe'.repeat(200))
  probe.forget()
  return isKept
}

/** Forgets what this browser and this tab keep for the guest of an album; of all albums without a name. */
export function forgetGuest(albumName?: string): void {
  for (const kept of [KEPT.remembered, KEPT.alert, KEPT.search]) kept.forget(albumName)
}

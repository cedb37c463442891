import type { ColumnType, Generated, Insertable, Selectable } from 'kysely'

/** Set by the database unless given. */
type Timestamp = ColumnType<Date, Date | undefined, Date>

/** node-postgres reads a bigint as text. */
type BigInt64 = ColumnType<string, string | number, string | number>

/** An album. The three counters are kept in the transaction that changes what they count, so that polling
 *  reads one row. */
export interface AlbumTable {
  /** Public: stands in lists and addresses, and gives no power. */
  id: Generated<string>
  /** SHA-256 of the owner key, which is told once and never kept. */
  owner_key_hash: Buffer
  /** The url-safe name that clients call albumName. */
  slug: string
  /** As the owner typed it. */
  display_name: string
  email: string
  /** The password encrypted under SECRET_KEY: it has to be shown and mailed later. */
  password_cipher: Buffer
  /** Goes up when the password changes; grants and photo links that carry another version are void. */
  password_version: Generated<number>
  photos_stored: Generated<number>
  /** Stored photos that are indexed or given up. */
  photos_settled: Generated<number>
  faces_found: Generated<number>
  /** When the first upload round completed; from then on the album is ready for search. */
  completed_at: ColumnType<Date | null, Date | null | undefined, Date | null>
  created_at: Timestamp
}

/** One upload session of the owner: opened by a batch, closed when everything is stored, when the page says
 *  so, or after two quiet minutes; completed, with one letter, when every stored photo is settled. */
export interface UploadRoundTable {
  id: Generated<string>
  album_id: string
  /** Photos the album will have when all that was announced is stored; null when nothing was announced. */
  total: number | null
  /** Photos stored in this round that the album did not have. */
  photos_added: Generated<number>
  opened_at: Timestamp
  last_activity_at: Timestamp
  closed_at: ColumnType<Date | null, Date | null | undefined, Date | null>
  completed_at: ColumnType<Date | null, Date | null | undefined, Date | null>
  letter_sent_at: ColumnType<Date | null, Date | null | undefined, Date | null>
}

/** Reasons as the face index names them; the box in fractions of the upright photo's width and height. */
export interface UnindexedFaceRow {
  reasons: string[]
  box: { left: number; top: number; width: number; height: number }
}

/** As the face-index port names them. */
export type EngineName = 'embedded' | 'rekognition'

export type PhotoState = 'stored' | 'indexed' | 'given_up'

export interface PhotoTable {
  id: Generated<string>
  album_id: string
  /** Of the uploaded bytes; with album_id unique, so that a retried batch stores nothing twice. */
  sha256: Buffer
  /** As uploaded, without any folders. */
  filename: string
  media_type: 'image/jpeg' | 'image/png'
  /** Bytes of the original. */
  size: number
  /** Pixels, upright. */
  width: number
  height: number
  /** Whether Amazon Rekognition takes the original just as it is stored: upright and in a form it knows. */
  is_taken_as_stored: Generated<boolean>
  state: Generated<PhotoState>
  /** The engine that found the faces of this photo; null until it is indexed, and when it is to be indexed anew. */
  engine: EngineName | null
  /** The engine that was last given the photo and could not index it: it is not given to it again. */
  refused_by: EngineName | null
  /** Why it was refused, in words for the owner. */
  given_up_reason: string | null
  /** Null until indexed. */
  face_count: number | null
  /** Faces that the engine saw and left out; null when there are none. */
  unindexed_faces: ColumnType<UnindexedFaceRow[] | null, string | null | undefined, string | null>
  created_at: Timestamp
}

/** A file that was refused at upload, for the owner's letter. */
export interface RefusedFileTable {
  id: Generated<string>
  album_id: string
  round_id: string
  filename: string
  reason: string
  created_at: Timestamp
}

/** One face of an indexed photo, whichever engine found it. */
export interface FaceTable {
  /** The face index's own id. */
  id: string
  album_id: string
  photo_id: string
  /** The bounding box, in fractions of the upright photo's width and height. */
  box_left: number
  box_top: number
  box_width: number
  box_height: number
  /** The detector's confidence, 0–100. */
  confidence: number
}

/** A collection of an album's faces, in one engine. An album that moves from one engine to another has both. The
 *  row is there before the collection and goes after it, so these are all that an album has. */
export interface AlbumEngineTable {
  album_id: string
  engine: EngineName
  /** Another one when the collection was removed and made anew: who has put faces into it can tell. */
  collection_id: Generated<string>
  /** Set when its removal has begun; nothing is put into it any more. */
  is_leaving: Generated<boolean>
}

/** The engine that photos are moved to; at most one row. */
export interface ChosenEngineTable {
  only: Generated<boolean>
  engine: EngineName
}

/** The embedded engine's collection of an album. Writers lock this row before they draw a revision, so
 *  revisions become visible in order and a reader that has seen revision N misses nothing at or below N. */
export interface FaceCollectionTable {
  album_id: string
  revision: BigInt64
  /** The revision of the last removal: a reader that knows less must load everything anew. */
  removed_revision: BigInt64
}

export interface FaceDescriptorTable {
  face_id: string
  album_id: string
  photo_id: string
  revision: BigInt64
  /** 128 little-endian 32-bit floats. */
  descriptor: Buffer
}

/** A selfie handed in for a results page. Its bytes stand in storage until they are matched. */
export interface SubmissionTable {
  /** Unguessable: who holds it sees the results. */
  id: Generated<string>
  /** Null until processed; `expired` when its selfie had to go before it could be matched. */
  outcome: 'matched' | 'no_face' | 'expired' | null
  selfie_deleted_at: ColumnType<Date | null, Date | null | undefined, Date | null>
  created_at: Timestamp
}

/** An album that a submission is searched in. */
export interface SubmissionAlbumTable {
  submission_id: string
  album_id: string
  /** That of the guest's grant: its results end with it. Null for the owner. */
  password_version: number | null
}

export interface SubmissionMatchTable {
  submission_id: string
  photo_id: string
  /** 0–100 */
  similarity: number
}

/** The account that letters are sent from; at most one row. */
export interface MailAuthorisationTable {
  only: Generated<boolean>
  account: string
  refresh_token_cipher: Buffer
  authorised_at: Timestamp
}

/** An authorisation that has been begun: what its code has to be exchanged with. */
export interface MailAuthorisationRequestTable {
  state_hash: Buffer
  code_verifier_cipher: Buffer
  /** Google wants it in the exchange exactly as it stood in the address. */
  redirect_uri: string
  created_at: Timestamp
}

/** Calls by one address, or on one album, in the window that is running. */
export interface RateLimitTable {
  key: Buffer
  count: number
  window_ends_at: Date
}

/** What is known of one of the face service's quotas, and which permits to call it are handed out. */
export interface RequestRateTable {
  lane: string
  /** REKOGNITION_TPS when it was begun. */
  first_rate: number
  /** See Learned in src/faces/rekognition/rate.ts. */
  learned: unknown
  /** Goes up whenever `learned` changes; the four figures at the end are counted within it. */
  period: Generated<string>
  /** The next permit that nobody has. */
  next_slot_at: Timestamp
  leased_at: Timestamp
  busy_seconds: Generated<number>
  granted: Generated<number>
  answered: Generated<number>
  throttled: Generated<number>
}

export interface Database {
  albums: AlbumTable
  upload_rounds: UploadRoundTable
  photos: PhotoTable
  refused_files: RefusedFileTable
  faces: FaceTable
  album_engines: AlbumEngineTable
  chosen_engine: ChosenEngineTable
  face_collections: FaceCollectionTable
  face_descriptors: FaceDescriptorTable
  submissions: SubmissionTable
  submission_albums: SubmissionAlbumTable
  submission_matches: SubmissionMatchTable
  mail_authorisation: MailAuthorisationTable
  mail_authorisation_requests: MailAuthorisationRequestTable
  rate_limits: RateLimitTable
  request_rates: RequestRateTable
}

export type Album = Selectable<AlbumTable>
export type UploadRound = Selectable<UploadRoundTable>
export type Photo = Selectable<PhotoTable>
export type NewPhoto = Insertable<PhotoTable>

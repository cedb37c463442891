import type { ColumnType, Generated, GeneratedAlways, Insertable, Selectable } from 'kysely'
import type { AlbumSettings } from '../contract/albums/album-settings.ts'

/** The database sets it unless a value is given. */
type Timestamp = ColumnType<Date, Date | undefined, Date>

/** An album. Its four counters change in the same transaction as the rows that they count, so that polling reads
 *  only this row. An album exists as long as it has this row. Photos and faces may exist a little longer, until they are
 *  erased. */
export interface AlbumTable {
  /** Public: it appears in lists and addresses, and gives no rights. */
  id: Generated<string>
  /** SHA-256 of the owner key. The key itself is returned once and never stored. */
  owner_key_hash: Buffer
  /** Increases when the owner key changes. Owner grants with another version are no longer valid. */
  owner_key_version: Generated<number>
  /** The URL-safe name that clients call albumName. */
  slug: string
  /** As the owner typed it. */
  display_name: string
  email: string
  /** The password, encrypted under SECRET_KEY; not hashed, because it is shown and mailed later. */
  password_cipher: Buffer
  /** Increases when the password changes. Grants and photo links with another version are no longer valid. */
  password_version: Generated<number>
  photos_stored: Generated<number>
  /** Size of the stored originals. */
  bytes_stored: ColumnType<string, string | number | undefined, string | number>
  /** Stored photos that are settled: indexed, or given up with a reason. */
  photos_settled: Generated<number>
  faces_found: Generated<number>
  /** The face engine that indexes its photos; null before the first one. `npm run album -- reindex` changes it. */
  engine: ColumnType<EngineName | null, EngineName | null | undefined, EngineName | null>
  /** Engines from which its faces are still to be removed, because another one indexes its photos now. */
  engines_to_clear: Generated<EngineName[]>
  /** When photos were settled last. Null before the first ones. */
  last_settled_at: ColumnType<Date | null, Date | null | undefined, Date | null>
  /** Photos that were settled recently, and the seconds that this took: see src/uploads/progress.ts. */
  recently_settled: ColumnType<number | null, number | null | undefined, number | null>
  recent_seconds: ColumnType<number | null, number | null | undefined, number | null>
  settings: AlbumSettings
  /** When its faces were deleted: see src/albums/end-faces.ts. Null while its photos can be searched. It then has no engine. */
  faces_ended_at: ColumnType<Date | null, Date | null | undefined, Date | null>
  /** Of the first upload round; since then the album can be searched. */
  completed_at: ColumnType<Date | null, Date | null | undefined, Date | null>
  /** When the album was opened through the link of one of its letters. */
  address_confirmed_at: ColumnType<Date | null, Date | null | undefined, Date | null>
  created_at: Timestamp
}

/** An album that was erased: where the rest of it may be, and what the last check found. Its row in `albums` and all small
 *  tables is deleted with the call. Its photos, faces and files are deleted by a job, a little at a time. */
export interface ErasureTable {
  album_id: string
  /** The owner key's hash and version at the erasure, so that the owner can still ask what remains. */
  owner_key_hash: Buffer
  owner_key_version: number
  /** Its name: see `hashesOfSlug`. */
  slug_hash: Buffer | null
  /** The face engines that may have faces of it. */
  engines: EngineName[]
  /** The ids of its letters, which may be in the outbox. */
  letters: string[]
  photos: number
  faces: number
  /** As the last check counted them. Before the first check, what the album had, each photo as one file. */
  rows_remaining: number
  files_remaining: number
  faces_remaining: number
  erased_at: Timestamp
  /** When a check found for the first time that nothing remains. */
  finished_at: ColumnType<Date | null, Date | null | undefined, Date | null>
}

/** One upload round. A batch opens it. It is closed when all intended photos are stored, when the page says that
 *  everything has been sent, or after two minutes without a batch. It is completed when every stored photo is settled. */
export interface UploadRoundTable {
  id: Generated<string>
  album_id: string
  /** How many photos the album will have when all intended ones are stored; null when no number was given. */
  total: number | null
  /** That were not in the album before. */
  photos_added: Generated<number>
  opened_at: Timestamp
  last_activity_at: Timestamp
  closed_at: ColumnType<Date | null, Date | null | undefined, Date | null>
  completed_at: ColumnType<Date | null, Date | null | undefined, Date | null>
}

/** A face that the engine saw and did not index. The reasons are named as in src/faces/face-index.ts. The box is in
 *  fractions of the upright photo's width and height. */
export interface UnindexedFaceRow {
  reasons: string[]
  box: { left: number; top: number; width: number; height: number }
}

/** The face engines. */
export const ENGINES = ['embedded', 'rekognition'] as const
export type EngineName = (typeof ENGINES)[number]

/** `hidden`: by the owner, maybe because a guest has asked. Nobody else sees it. It may still wait to be indexed. */
export type PhotoState = 'stored' | 'indexed' | 'given_up' | 'hidden'

export interface PhotoTable {
  id: Generated<string>
  album_id: string
  /** Of the uploaded bytes. Unique within an album, so that a retried batch stores nothing twice. */
  sha256: Buffer
  /** Without folders. */
  filename: string
  media_type: 'image/jpeg' | 'image/png'
  /** Bytes of the stored original. What was sent after the picture's end is not stored. */
  size: number
  /** Bytes of the photo at full size, as guests receive it; 0 while that was not made. */
  full_bytes: Generated<number>
  /** Width and height of the upright photo, in pixels. */
  width: number
  height: number
  /** The colours that are shown while the photo loads: see src/photos/images.ts. */
  placeholder: Buffer
  /** Whether Amazon Rekognition accepts the original as it is stored: upright and in a format that it knows. */
  is_taken_as_stored: Generated<boolean>
  state: Generated<PhotoState>
  /** The engine that has settled this photo: it has its faces, or could not index it. Null while the photo waits for its
   *  album's engine. Those that are not null are counted in the album's `photos_settled`. */
  engine: EngineName | null
  /** In a sentence for the owner. */
  given_up_reason: string | null
  face_count: number | null
  /** Faces that the engine saw and did not index; null when there are none. */
  unindexed_faces: ColumnType<UnindexedFaceRow[] | null, string | null | undefined, string | null>
  /** When the camera took it, by its clock: such as `2025-08-19T14:03:22`, and with its offset from UTC if that is known:
   *  `2025-08-19T14:03:22+02:00`. Null when the file does not say. */
  taken_at: ColumnType<string | null, string | null | undefined, string | null>
  /** Its camera: see src/contract/camera.ts. Null when the file does not say. Only the owner may see it. */
  camera: ColumnType<string | null, string | null | undefined, string | null>
  /** What the owner adds to the clock of this camera. All its photos in the album have the same. */
  shift_minutes: Generated<number>
  /** When it was indexed for the first time. Null before. */
  indexed_at: ColumnType<Date | null, Date | null | undefined, Date | null>
  created_at: Timestamp
  /** Its place in lists: the time by the camera's clock as it was shifted, or else of its upload in UTC, and the name, with numbers as numbers. */
  listed_at: GeneratedAlways<Date>
  listed_name: GeneratedAlways<string>
}

/** A file that was refused at upload; the owner's letter lists it. */
export interface RefusedFileTable {
  id: Generated<string>
  album_id: string
  round_id: string
  filename: string
  reason: string
  created_at: Timestamp
}

/** One face of an indexed photo, from any engine. */
export interface FaceTable {
  /** The id that the face engine gave it. */
  id: string
  album_id: string
  photo_id: string
  /** The bounding box, in fractions of the upright photo's width and height. */
  box_left: number
  box_top: number
  box_width: number
  box_height: number
  /** The detector's confidence, 0–100. Null for a face of an opt-out that is not in the index: it was erased, or left out of a
   *  later photo. Its box keeps it out also when the photo is indexed again. */
  confidence: number | null
  /** These five are FaceQuality, as the engine of the photo measured it. Null where it gave no value. The face's size follows from its box and the photo's. */
  sharpness: number | null
  brightness: number | null
  yaw: number | null
  pitch: number | null
  roll: number | null
  /** The opt-out that hides the face. Null for a face that searches may show. */
  opt_out_id: ColumnType<string | null, string | null | undefined, string | null>
  /** Rises in the order in which an album's faces are recorded. */
  number: GeneratedAlways<string>
  /** What the embedded engine finds the face by: see src/faces/embedded/descriptors.ts. Null for a face of another
   *  engine, and for one that was removed from this one. */
  descriptor: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>
}

/** What has become of an opt-out. `active`: no search shows its faces, and it can be undone. `undone` by the guest, or revoked by
 *  the owner: its faces are found like all others. `erased`: the descriptions of its faces are gone for good. */
export type OptOutState = 'active' | 'undone' | 'erased'

/** A guest's request that an album's searches no longer show their faces. It does not say who the guest is. */
export interface OptOutTable {
  id: Generated<string>
  album_id: string
  state: OptOutState
  /** How many faces the guest has named. */
  faces: number
  /** Keyed hash of where it was asked for, under which the limits count it for an hour: see src/opt-outs/opt-out.ts. Null when
   *  it is not counted. */
  caller_hash: ColumnType<Buffer | null, Buffer | null | undefined, null>
  /** When the descriptions of the faces are erased at the earliest, or when they were. */
  erase_at: Generated<Date>
  /** What finds the person in future photos, encrypted under SECRET_KEY: the face engine's describePerson. Null unless the
   *  guest has asked for that, and after the opt-out was taken back. */
  person_cipher: Buffer | null
  /** The photos that the guest wants to be hidden; null when there are none. The owner decides. */
  photos_to_hide: ColumnType<string[] | null, string[] | null | undefined, null>
  /** The owner's last answer: whether the photos are hidden or shown. Null until there is one. */
  answer: ColumnType<'hide' | 'show' | null, undefined, 'hide' | 'show'>
  /** The letter that says it to the owner. It may say several. Null until its sending has begun, and again after a new owner key
   *  or address has ended its links. */
  letter_id: ColumnType<string | null, string | undefined, string | null>
  created_at: Timestamp
}

/** An alert: a guest's request for letters when there are more photos of them. See src/alerts. */
export interface PhotoAlertTable {
  id: string
  album_id: string
  /** Keyed hash of the album and the address. */
  address_hash: Buffer
  /** The address, and what finds the guest, encrypted under SECRET_KEY: see src/alerts/sealed-alert.ts. */
  sealed: Buffer
  /** The version of the consent that the guest has given, at `created_at`. */
  consent_version: number
  /** Photos that were indexed later than this are new. */
  looked_until: Timestamp
  /** When the link of the first letter was used. Until then no other letter is sent. */
  confirmed_at: ColumnType<Date | null, undefined, Date>
  ends_at: Timestamp
  created_at: Timestamp
}

/** What the first process has sealed under its SECRET_KEY; at most one row. */
export interface KeyCheckTable {
  only: Generated<boolean>
  sealed: Buffer
}

/** How far from each other the strangers of an album are: see src/faces/embedded/matching/non-mate-distances.ts. */
export interface NonMateDistancesTable {
  album_id: string
  /** The faces that the album had when it was measured. */
  faces: number
  /** 0 when no photo shows two people who can be measured. `median` and `deviation` then mean nothing. */
  pairs: number
  median: number
  deviation: number
}

/** A selfie that was submitted for a results page. Its bytes are in the photo storage until it is matched. */
export interface SubmissionTable {
  /** Cannot be guessed. It is all that a visitor needs to see the results. */
  id: Generated<string>
  /** Null until processed; `expired` when its selfie had to be deleted before it was matched. */
  outcome: 'matched' | 'no_face' | 'expired' | null
  selfie_deleted_at: ColumnType<Date | null, Date | null | undefined, Date | null>
  created_at: Timestamp
}

/** An album that a submission is searched in. */
export interface SubmissionAlbumTable {
  submission_id: string
  album_id: string
  /** The password version of the guest's grant: a new password ends these results. Null for the owner. */
  password_version: number | null
  /** The version of the owner's grant: a new owner key ends these results. Null for a guest. */
  owner_key_version: number | null
  /** How many photos of this album were found, so that results need not count them. Null until the submission is
   *  matched. */
  matches: number | null
}

export interface SubmissionMatchTable {
  submission_id: string
  photo_id: string
  /** 0–100 */
  similarity: number
}

/** A face that the visitor of a results page is asked about. */
export interface SubmissionPossibleFaceTable {
  submission_id: string
  face_id: string
  /** 0–100 */
  similarity: number
}

/** How many searches of an album were begun within a minute by people who agreed to this version of the consent. It
 *  does not say who they were. */
export interface ConsentTable {
  album_id: string
  version: number
  minute: Date
  searches: number
}

/** What guests of an album did in an hour, in numbers: see src/albums/guest-counts.ts. */
export interface AlbumHourTable {
  album_id: string
  hour: Date
  /** Guests, each counted once: they entered, searched, found at least one photo. */
  entered: Generated<number>
  searched: Generated<number>
  found: Generated<number>
  /** Searches with a selfie that had no result: it showed no clear face, or no photo has this person. */
  no_face: Generated<number>
  nothing: Generated<number>
  /** Photos that were downloaded, singly and in zips. */
  taken_home: Generated<number>
  /** Letters about new photos. */
  letters: Generated<number>
}

/** A letter, from the transaction that gives the reason. The row stays as long as the album: an erasure has to find its
 *  letters. See src/letters. */
export interface LetterTable {
  /** Of its message, too. */
  id: Generated<string>
  /** Null when the album was erased or the alert has ended: then it only counts for the limits of a day. Also null for a kind that
   *  belongs to no album. */
  album_id: string | null
  /** See src/letters/kinds.ts. */
  kind: string
  /** The alert of a letter to a guest; for a notice to a former address, the letter that has confirmed the new one. Of
   *  `erased`: the former album. Of `my-albums`: a code of the mailbox, so that only one waits. */
  subject_id: ColumnType<string | null, string | null | undefined, string | null>
  /** The address, encrypted under SECRET_KEY, until the letter was sent or the address was confirmed. Null for the album's own. */
  recipient: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>
  /** How many new photos of the guest there are. */
  photos: ColumnType<number | null, number | null | undefined, number | null>
  /** Keyed hashes of the mailbox, and of the network that has asked for the letter: for the limits of a day, in which it counts
   *  since `counted_at`. Null when it does not. */
  mailbox_hash: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>
  asker_hash: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>
  counted_at: ColumnType<Date | null, Date | null | undefined, Date | null>
  tries: Generated<number>
  /** When it may be sent, if it had to wait. */
  due_at: Timestamp
  /** When its sending began. It contains what was known then. */
  claimed_at: ColumnType<Date | null, Date | null | undefined, Date | null>
  sent_at: ColumnType<Date | null, Date | null | undefined, Date | null>
  /** When it was given up: its recipient or a mail server has refused it, there was nothing to say any more, or another one
   *  has replaced it. */
  ended_at: ColumnType<Date | null, Date | null | undefined, Date | null>
  created_at: Timestamp
}

/** An address to which no letters may go, as a keyed hash: its mail server has permanently refused it, or its reader has
 *  said "This was not me" about one album. */
export interface RefusedAddressTable {
  address_hash: Buffer
  /** The album that the address belongs to. Null: the refusal lasts 30 days. */
  album_id: ColumnType<string | null, string | null | undefined, string | null>
  refused_at: Timestamp
}

/** The account that letters are sent from; at most one row. */
export interface MailAuthorisationTable {
  only: Generated<boolean>
  account: string
  refresh_token_cipher: Buffer
  authorised_at: Timestamp
}

/** An authorisation that has begun: what is needed to exchange its code. */
export interface MailAuthorisationRequestTable {
  state_hash: Buffer
  code_verifier_cipher: Buffer
  /** Google requires the same value in the exchange as in the authorisation address. */
  redirect_uri: string
  created_at: Timestamp
}

/** A link that gives one browser the maintainer's rights, once. */
export interface SetupLinkTable {
  /** SHA-256 of the link's token. */
  token_hash: Buffer
  created_at: Timestamp
}

/** A code with which albums can be created while ALBUM_CREATION is `invited`. */
export interface InvitationTable {
  /** SHA-256 of the code. The code itself is shown once and never stored. */
  code_hash: Buffer
  /** How many more albums it allows. */
  albums_left: number
  expires_at: Timestamp
  created_at: Timestamp
}

/** The number of calls by one address, or on one album, in the current window. */
export interface RateLimitTable {
  key: Buffer
  count: number
  window_ends_at: Date
}

/** A session that was ended before its cookie expires. */
export interface EndedSessionTable {
  id: string
  ended_at: Timestamp
}

/** What the maintainer must be able to answer later. The names are as `npm run album -- audit` prints them. */
export type AuditEvent =
  | 'album created'
  | 'album erased'
  | 'password changed'
  | 'password failed too often'
  | 'owner key changed'
  | 'letter address changed'
  | `${keyof AlbumSettings} ${'turned on' | 'turned off' | 'changed'}`
  | 'guest opted out'
  | 'opt-out undone'
  | 'album renamed'
  | 'photos deleted'
  | 'photos hidden'
  | 'photos shown again'
  | 'photos tried again'
  | 'camera clock shifted'
  | 'invited'
  | 'maintainer entered'

export type AuditRole = 'owner' | 'guest' | 'visitor' | 'maintainer' | 'command line'

/** An event of the audit log. It has no personal data, and is kept when its album is erased. */
export interface AuditLogTable {
  id: GeneratedAlways<string>
  at: Timestamp
  event: AuditEvent
  /** Null for an event that belongs to no album. The album may be erased. */
  album_id: string | null
  /** Keyed hash of the slug. */
  album_name_hash: Buffer | null
  role: AuditRole
  /** Keyed hash of the session's id; null without a session. */
  session_hash: Buffer | null
  /** Keyed hash of the network address; null on the command line. */
  address_hash: Buffer | null
}

export interface Database {
  albums: AlbumTable
  erasures: ErasureTable
  upload_rounds: UploadRoundTable
  photos: PhotoTable
  refused_files: RefusedFileTable
  faces: FaceTable
  opt_outs: OptOutTable
  photo_alerts: PhotoAlertTable
  key_check: KeyCheckTable
  non_mate_distances: NonMateDistancesTable
  submissions: SubmissionTable
  submission_albums: SubmissionAlbumTable
  submission_matches: SubmissionMatchTable
  submission_possible_faces: SubmissionPossibleFaceTable
  consents: ConsentTable
  album_hours: AlbumHourTable
  letters: LetterTable
  refused_addresses: RefusedAddressTable
  mail_authorisation: MailAuthorisationTable
  mail_authorisation_requests: MailAuthorisationRequestTable
  setup_links: SetupLinkTable
  invitations: InvitationTable
  rate_limits: RateLimitTable
  audit_log: AuditLogTable
  ended_sessions: EndedSessionTable
}

export type OptOut = Selectable<OptOutTable>
export type PhotoAlert = Selectable<PhotoAlertTable>
export type LetterRow = Selectable<LetterTable>
export type Album = Selectable<AlbumTable>
export type Erasure = Selectable<ErasureTable>
export type UploadRound = Selectable<UploadRoundTable>
export type Photo = Selectable<PhotoTable>
export type NewPhoto = Insertable<PhotoTable>

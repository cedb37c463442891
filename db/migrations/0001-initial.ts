import { type Kysely, sql } from 'kysely'

/** All tables of version 1.0.0, by subject. src/database/schema.ts describes every column. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const tables of [ALBUMS, PHOTOS, FACES, OPT_OUTS, SUBMISSIONS, LETTERS, ADMINISTRATION])
    await tables.execute(db)
  await NO_STATISTICS.execute(db)
}

const ALBUMS = sql`
  create table albums (
    id uuid primary key default gen_random_uuid(),
    owner_key_hash bytea not null unique,
    owner_key_version integer not null default 1,
    slug text not null unique,
    display_name text not null,
    email text not null,
    password_cipher bytea not null,
    password_version integer not null default 1,
    photos_stored integer not null default 0,
    -- of originals
    bytes_stored bigint not null default 0,
    -- indexed, or given up
    photos_settled integer not null default 0,
    faces_found integer not null default 0,
    -- the one that indexes its photos; null before the first one
    engine text check (engine in ('embedded', 'rekognition')),
    -- those from which its faces are still to be removed
    engines_to_clear text[] not null default '{}',
    -- how quickly photos were settled lately
    last_settled_at timestamptz,
    recently_settled float8,
    recent_seconds float8,
    -- what the owner may change: src/contract/albums/album-settings.ts
    settings jsonb not null,
    -- when its faces were deleted
    faces_ended_at timestamptz,
    -- the first upload round was completed
    completed_at timestamptz,
    address_confirmed_at timestamptz,
    created_at timestamptz not null default now(),
    constraint albums_settled_are_stored check (photos_settled <= photos_stored)
  );
  create index albums_newest on albums (created_at desc, id);
  create index albums_listed on albums (created_at, id) where settings ->> 'listed' = 'on' and photos_stored > 0;

  create table upload_rounds (
    id uuid primary key default gen_random_uuid(),
    album_id uuid not null references albums on delete cascade,
    -- photos that the album will have; null: no number was given
    total integer,
    photos_added integer not null default 0,
    opened_at timestamptz not null default now(),
    last_activity_at timestamptz not null default now(),
    -- everything was sent
    closed_at timestamptz,
    -- every photo is indexed or given up
    completed_at timestamptz
  );
  -- An album has at most one open round. This index also serves progress and the search for quiet rounds.
  create unique index upload_rounds_open on upload_rounds (album_id) where closed_at is null;
  create index upload_rounds_uncompleted on upload_rounds (album_id) where completed_at is null;
  create index upload_rounds_by_album on upload_rounds (album_id);

  create table refused_files (
    id uuid primary key default gen_random_uuid(),
    album_id uuid not null references albums on delete cascade,
    round_id uuid not null references upload_rounds on delete cascade,
    filename text not null,
    reason text not null,
    created_at timestamptz not null default now(),
    constraint refused_files_once_per_round unique (round_id, filename, reason)
  );
  create index refused_files_by_album on refused_files (album_id);

  -- Searches that were begun within a minute by people who agreed to this version of the consent.
  create table consents (
    album_id uuid not null references albums on delete cascade,
    version integer not null,
    minute timestamptz not null,
    searches integer not null,
    primary key (album_id, version, minute)
  );

  -- What guests of an album did in an hour, in numbers.
  create table album_hours (
    album_id uuid not null references albums on delete cascade,
    hour timestamptz not null,
    -- guests, each counted once
    entered integer not null default 0,
    searched integer not null default 0,
    found integer not null default 0,
    -- searches with a selfie that found nothing
    no_face integer not null default 0,
    nothing integer not null default 0,
    -- photos that were downloaded
    taken_home integer not null default 0,
    -- letters about new photos
    letters integer not null default 0,
    primary key (album_id, hour)
  );

  -- An album that was erased, for as long as something of it remains and 30 days more.
  create table erasures (
    album_id uuid primary key,
    owner_key_hash bytea not null unique,
    owner_key_version integer not null,
    -- keyed hash of its name, which nobody else gets meanwhile
    slug_hash bytea,
    engines text[] not null,
    letters uuid[] not null,
    photos integer not null,
    faces integer not null,
    rows_remaining integer not null,
    files_remaining integer not null,
    faces_remaining integer not null,
    erased_at timestamptz not null default now(),
    finished_at timestamptz
  );
  create index erasures_slug_hash on erasures (slug_hash);
`

/** When an album is erased, its row goes at once, and its photos and faces a little at a time. So these tables do not
 *  refer to it. */
const PHOTOS = sql`
  create table photos (
    id uuid primary key default gen_random_uuid(),
    album_id uuid not null,
    -- of the uploaded bytes
    sha256 bytea not null,
    filename text not null,
    media_type text not null,
    -- bytes of the original, and of the photo at full size; 0: not made
    size integer not null,
    full_bytes integer not null default 0,
    -- pixels of the upright photo
    width integer not null,
    height integer not null,
    -- colours that are shown while it loads
    placeholder bytea not null,
    -- Rekognition accepts the original
    is_taken_as_stored boolean not null default false,
    state text not null default 'stored'
      constraint photos_state_check check (state in ('stored', 'indexed', 'given_up', 'hidden')),
    -- the one that has settled it; null while it waits
    engine text constraint photos_engine_check check (engine in ('embedded', 'rekognition')),
    given_up_reason text,
    face_count integer,
    unindexed_faces jsonb,
    -- by the camera's clock, with its offset from UTC if that is known
    taken_at text,
    -- the camera that took it, for the owner only
    camera text collate "C",
    -- what the owner adds to the clock of this camera
    shift_minutes integer not null default 0,
    indexed_at timestamptz,
    created_at timestamptz not null default now(),
    -- Lists are in the order of the times at which photos were taken, by the clocks of the cameras as the owner has shifted
    -- them, or else uploaded, and then of their names, in which each number has 20 digits. Postgres indexes no long texts.
    listed_at timestamp not null generated always as (coalesce(
      make_timestamp(
        substr(taken_at, 1, 4)::int, substr(taken_at, 6, 2)::int, substr(taken_at, 9, 2)::int,
        substr(taken_at, 12, 2)::int, substr(taken_at, 15, 2)::int, substr(taken_at, 18, 2)::int
      ) + make_interval(mins => shift_minutes),
      created_at at time zone 'UTC'
    )) stored,
    listed_name text collate "C" not null generated always as (left(
      regexp_replace(
        regexp_replace(lower(filename), '(\\d+)', '00000000000000000000\\1', 'g'),
        '\\d*(\\d{20})', '\\1', 'g'
      ),
      300
    )) stored,
    constraint photos_once_per_album unique (album_id, sha256)
  );
  create index photos_by_state on photos (album_id, state);
  create index photos_to_reindex on photos (album_id) where engine is null and face_count is not null;
  create index photos_in_order on photos (album_id, listed_at, listed_name, id) where state = 'indexed';
  create index photos_all_in_order on photos (album_id, listed_at, listed_name, id);
  create index photos_by_camera on photos (album_id, camera, listed_at, listed_name, id) where camera is not null;
  -- The conditions are those of src/photos/owner-queries.ts.
  create index photos_of_nobody on photos (album_id, listed_at, listed_name, id)
    where state = 'indexed' and engine is not null and face_count = 0 and unindexed_faces is null;
  create index photos_unclear on photos (album_id, listed_at, listed_name, id)
    where state = 'indexed' and engine is not null and face_count = 0 and unindexed_faces is not null;
  create index photos_partly_searchable on photos (album_id, listed_at, listed_name, id)
    where state = 'indexed' and engine is not null and face_count > 0 and unindexed_faces is not null;
  create index photos_given_up on photos (album_id, listed_at, listed_name, id) where state = 'given_up';
  create index photos_hidden on photos (album_id, listed_at, listed_name, id) where state = 'hidden';
  create index photos_waiting on photos (album_id, listed_at, listed_name, id) where engine is null and state <> 'hidden';
`

const FACES = sql`
  create table faces (
    id uuid primary key,
    album_id uuid not null,
    photo_id uuid not null references photos on delete cascade,
    -- fractions of the upright photo
    box_left real not null,
    box_top real not null,
    box_width real not null,
    box_height real not null,
    -- 0 to 100; null for a face of an opt-out that is not in the index: only its place is kept
    confidence real,
    sharpness real,
    brightness real,
    yaw real,
    pitch real,
    roll real,
    -- the opt-out that hides it. An opt-out goes only with its album, and so do the faces.
    opt_out_id uuid,
    -- rises in the order in which an album's faces become visible, because its row is locked meanwhile
    number bigint not null generated always as identity,
    -- 128 numbers of the embedded engine, one byte each; null: it does not find this face
    descriptor bytea
  );
  create index faces_by_album on faces (album_id, number);
  create index faces_by_photo on faces (photo_id);
  create index faces_hidden on faces (opt_out_id) where opt_out_id is not null;

  create table non_mate_distances (
    album_id uuid primary key references albums on delete cascade,
    faces integer not null,
    pairs integer not null,
    median real not null,
    deviation real not null
  );

  -- Whatever deletes or changes a face, processes that have the album in memory hear of it, and drop the album.
  create function announce_removed_faces() returns trigger language plpgsql as $$
    begin
      perform pg_notify('inframe_faces_removed', album_id::text) from (select distinct album_id from former) album;
      return null;
    end
  $$;
  create trigger faces_deleted after delete on faces referencing old table as former
    for each statement execute function announce_removed_faces();
  create trigger faces_changed after update on faces referencing old table as former
    for each statement execute function announce_removed_faces();
`

const OPT_OUTS = sql`
  create table opt_outs (
    id uuid primary key default gen_random_uuid(),
    album_id uuid not null references albums on delete cascade,
    state text not null check (state in ('active', 'undone', 'erased')),
    faces integer not null,
    caller_hash bytea,
    -- until then it can be undone
    erase_at timestamptz not null default now() + interval '72 hours',
    -- what finds the person in photos that are added later
    person_cipher bytea,
    photos_to_hide uuid[],
    -- of the owner, about these photos
    answer text check (answer in ('hide', 'show')),
    -- the letter that says it to the owner
    letter_id uuid,
    created_at timestamptz not null default now()
  );
  create index opt_outs_of_album on opt_outs (album_id, created_at);
  create index opt_outs_to_erase on opt_outs (erase_at) where state = 'active';
  create index opt_outs_counted on opt_outs (created_at) where caller_hash is not null;
`

const SUBMISSIONS = sql`
  create table submissions (
    id uuid primary key default gen_random_uuid(),
    outcome text check (outcome in ('matched', 'no_face', 'expired')),
    selfie_deleted_at timestamptz,
    created_at timestamptz not null default now()
  );
  create index submissions_by_age on submissions (created_at);
  -- Selfies that are not deleted yet: there are few at any time, and a job looks for them every minute.
  create index submissions_with_selfie on submissions (created_at) where selfie_deleted_at is null;

  create table submission_albums (
    submission_id uuid not null references submissions on delete cascade,
    album_id uuid not null references albums on delete cascade,
    -- of a guest's grant
    password_version integer,
    -- of the owner's grant
    owner_key_version integer,
    -- photos found; null until matched
    matches integer,
    primary key (submission_id, album_id)
  );
  create index submission_albums_by_album on submission_albums (album_id);

  create table submission_matches (
    submission_id uuid not null references submissions on delete cascade,
    photo_id uuid not null references photos on delete cascade,
    -- 0 to 100
    similarity real not null,
    primary key (submission_id, photo_id)
  );
  create index submission_matches_by_photo on submission_matches (photo_id);
  create index submission_matches_best on submission_matches (submission_id, similarity desc, photo_id);

  create table submission_possible_faces (
    submission_id uuid not null references submissions on delete cascade,
    face_id uuid not null references faces on delete cascade,
    -- 0 to 100
    similarity real not null,
    primary key (submission_id, face_id)
  );
  create index submission_possible_faces_by_face on submission_possible_faces (face_id);
`

const LETTERS = sql`
  -- Guests who want a letter when there are more photos of them.
  create table photo_alerts (
    id uuid primary key,
    album_id uuid not null references albums on delete cascade,
    address_hash bytea not null,
    -- the address, and what finds the guest
    sealed bytea not null,
    consent_version integer not null,
    looked_until timestamptz not null,
    confirmed_at timestamptz,
    ends_at timestamptz not null,
    created_at timestamptz not null default now()
  );
  -- An address has one confirmed alert for an album, and any number that wait to be confirmed.
  create unique index photo_alerts_once on photo_alerts (album_id, address_hash) where confirmed_at is not null;
  create index photo_alerts_by_album on photo_alerts (album_id, address_hash);

  create table letters (
    id uuid primary key default gen_random_uuid(),
    -- null: it has no album or alert any more, and only counts for the limits of a day
    album_id uuid references albums on delete cascade,
    kind text not null,
    -- the alert of a letter to a guest; the letter that a notice follows
    subject_id uuid,
    -- encrypted; null: the address of the album
    recipient bytea,
    -- new photos of a guest
    photos integer,
    mailbox_hash bytea,
    asker_hash bytea,
    counted_at timestamptz,
    tries integer not null default 0,
    due_at timestamptz not null default now(),
    claimed_at timestamptz,
    sent_at timestamptz,
    -- given up, refused, or replaced
    ended_at timestamptz,
    created_at timestamptz not null default now()
  );
  -- What is to be said while a letter waits is said by that one.
  create unique index letters_waiting on letters (album_id, kind, subject_id) nulls not distinct
    where claimed_at is null and ended_at is null;
  create index letters_of_album on letters (album_id, kind, claimed_at);
  create index letters_of_subject on letters (subject_id) where subject_id is not null;
  create index letters_to_mailbox on letters (mailbox_hash, counted_at) where mailbox_hash is not null;

  create table refused_addresses (
    address_hash bytea primary key,
    -- set: it lasts as long as the album
    album_id uuid references albums on delete cascade,
    refused_at timestamptz not null default now()
  );
  create index refused_addresses_of_album on refused_addresses (album_id) where album_id is not null;

  -- A single mail account sends all letters: at most one row.
  create table mail_authorisation (
    "only" boolean primary key default true check ("only"),
    account text not null,
    refresh_token_cipher bytea not null,
    authorised_at timestamptz not null default now()
  );

  create table mail_authorisation_requests (
    state_hash bytea primary key,
    code_verifier_cipher bytea not null,
    redirect_uri text not null,
    created_at timestamptz not null default now()
  );
`

const ADMINISTRATION = sql`
  -- Calls counted in windows. A crash only loses counts, which allows a few more calls, so the table is unlogged.
  create unlogged table rate_limits (
    key bytea primary key,
    count integer not null,
    window_ends_at timestamptz not null
  );
  create index rate_limits_by_end on rate_limits (window_ends_at);

  -- Cookies cannot be taken back, so the service remembers which sessions have ended.
  create table ended_sessions (
    id uuid primary key,
    ended_at timestamptz not null default now()
  );
  create index ended_sessions_by_time on ended_sessions (ended_at);

  -- What a key of SECRET_KEY has to open: at most one row.
  create table key_check (
    "only" boolean primary key default true check ("only"),
    sealed bytea not null
  );

  create table setup_links (
    token_hash bytea primary key,
    created_at timestamptz not null default now()
  );

  create table invitations (
    code_hash bytea primary key,
    albums_left integer not null check (albums_left >= 0),
    expires_at timestamptz not null,
    created_at timestamptz not null default now()
  );

  -- No reference to albums: the rows stay after an album has been erased.
  create table audit_log (
    id bigint primary key generated always as identity,
    at timestamptz not null default now(),
    event text not null,
    album_id uuid,
    album_name_hash bytea,
    role text not null,
    session_hash bytea,
    address_hash bytea
  );
  create index audit_log_by_album on audit_log (album_id);
  create index audit_log_by_album_name on audit_log (album_name_hash);
  create index audit_log_by_time on audit_log (at);
`

/** Postgres copies values of a column into its statistics, where they outlive their rows: also descriptors of faces and
 *  mail addresses. No query looks for rows by these columns, so it needs no statistics of them. */
const NO_STATISTICS = sql`
  alter table albums alter column email set statistics 0;
  alter table faces alter column descriptor set statistics 0;
  alter table opt_outs alter column person_cipher set statistics 0;
  alter table photo_alerts alter column sealed set statistics 0;
`

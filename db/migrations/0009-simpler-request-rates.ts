import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // What was learned is in another form, and is learned again within seconds.
  await db.schema.dropTable('request_rates').execute()
  await sql`
    create unlogged table request_rates (
      lane text primary key,
      first_rate float8 not null,
      rate float8 not null,
      is_met boolean not null default false,
      next_slot_at timestamptz not null default clock_timestamp()
    )`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('request_rates').execute()
  await sql`
    create unlogged table request_rates (
      lane text primary key,
      first_rate float8 not null,
      learned jsonb not null,
      period bigint not null default 0,
      next_slot_at timestamptz not null default clock_timestamp(),
      leased_at timestamptz not null default clock_timestamp(),
      busy_seconds float8 not null default 0,
      granted integer not null default 0,
      answered integer not null default 0,
      throttled integer not null default 0
    )`.execute(db)
}

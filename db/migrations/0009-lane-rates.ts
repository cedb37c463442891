import { type Kysely, sql } from 'kysely'

/** The table `request_rates` stays: in a rolling restart the processes of the former version still use it. Nothing else
 *  does, so a later migration can drop it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Unlogged: after a crash the rates are learned again within seconds.
  await sql`
    create unlogged table lane_rates (
      lane text primary key,
      first_rate float8 not null,
      rate float8 not null,
      is_met boolean not null default false,
      next_slot_at timestamptz not null default clock_timestamp()
    )`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('lane_rates').execute()
}

import { type RawBuilder, sql } from 'kysely'

/** A time in the past, by the database's clock. */
export const secondsAgo = (seconds: number) => sql<Date>`now() - make_interval(secs => ${seconds})`

/** How many seconds ago a time was, by the database's clock. */
export const secondsSince = <Seconds extends number | null = number>(time: RawBuilder<unknown>) =>
  sql<Seconds>`extract(epoch from now() - ${time})::float8`

/** The microseconds from the beginning of 1970 until a time, as text. */
export const microsecondsOf = (column: string) =>
  sql<string>`(extract(epoch from ${sql.ref(column)}) * 1000000)::bigint`

/** The moment that is so many microseconds after 1970 began. A JavaScript date has milliseconds only. */
export const timeAt = (microseconds: string) =>
  sql<Date>`timestamptz 'epoch' + interval '1 microsecond' * ${microseconds}::bigint`

/** The same by a clock of no zone. */
export const clockAt = (microseconds: string) =>
  sql<Date>`timestamp 'epoch' + interval '1 microsecond' * ${microseconds}::bigint`

/** The condition that guests may come into an album, as isOpen in src/contract/albums/opening.ts. */
export const isOpenNow = sql<boolean>`(coalesce((albums.settings ->> 'opensAt')::timestamptz <= now(), true)
  and coalesce((albums.settings ->> 'closesAt')::timestamptz > now(), true))`

/** A time in the future, by the database's clock. */
export const secondsFromNow = (seconds: number) => sql<Date>`now() + make_interval(secs => ${seconds})`

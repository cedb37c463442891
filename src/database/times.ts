import { sql } from 'kysely'

/** A time in the past, by the database's clock. */
export const secondsAgo = (seconds: number) => sql<Date>`now() - make_interval(secs => ${seconds})`

/** The moment that is so many microseconds after 1970 began. A JavaScript date has milliseconds only. */
export const timeAt = (microseconds: string) =>
  sql<Date>`timestamptz 'epoch' + interval '1 microsecond' * ${microseconds}::bigint`

/** A time in the future, by the database's clock. */
export const secondsFromNow = (seconds: number) => sql<Date>`now() + make_interval(secs => ${seconds})`

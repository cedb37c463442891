import { sql } from 'kysely'

/** A time in the past, by the database's clock. */
export const secondsAgo = (seconds: number) => sql<Date>`now() - make_interval(secs => ${seconds})`

/** A time in the future, by the database's clock. */
export const secondsFromNow = (seconds: number) => sql<Date>`now() + make_interval(secs => ${seconds})`

import type { Compilable, CompiledQuery } from 'kysely'
import type { Db } from './client.ts'

/** Stands for the value in the compiled query. */
const VALUE = Symbol('value')

/** Builds the text of a query once for each database, and not for each read: for a small query, that takes longer than
 *  sending it.
 *  @param build gives the query for a value. It may use the value as a parameter only. */
export function compileOnce<Value, Row>(
  build: (db: Db, value: Value) => Compilable<Row>,
): (db: Db, value: Value) => Promise<Row[]> {
  const compiled = new WeakMap<Db, CompiledQuery<Row>>()
  return async (db, value) => {
    const query = compiled.get(db) ?? build(db, VALUE as Value).compile()
    compiled.set(db, query)
    const parameters = query.parameters.map((parameter) => (parameter === VALUE ? value : parameter))
    const { rows } = await db.executeQuery<Row>({ ...query, parameters })
    return rows
  }
}

import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPool, type Trx } from '../database/client.ts'
import type { Database } from '../database/schema.ts'
import { createTestDomain, type TestDomain } from '../testing/domain.ts'
import { addManyRows, type ManyRows } from '../testing/many-rows.ts'
import { CALLS, NOT_CALLED } from '../testing/query-calls.ts'

const ROOT = resolve(import.meta.dirname, '../..')

/** They grow with photos, faces, jobs, matches or submissions. */
const GROWING = [
  'photos',
  'faces',
  'face_descriptors',
  'opted_out_faces',
  'refused_files',
  'submissions',
  'submission_albums',
  'submission_matches',
  'submission_possible_faces',
  'job',
  'job_common',
]
/** How a file names one of them in a query. */
const NAMES_GROWING = new RegExp(
  `((?<!\\.as\\()['"]|\\b(from|join|into|update) (pgboss\\.)?)(${GROWING.join('|')})\\b`,
)

let domain: TestDomain
let rows: ManyRows
/** Tells which statements it sends. */
let db: Kysely<Database>
let sent: CompiledQuery[] = []

beforeAll(async () => {
  domain = await createTestDomain()
  rows = await addManyRows(domain.db, () => domain.newAlbum())
  db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: createPool(domain.address, fail, 2) }),
    log: ({ query }) => void sent.push(query),
  })
})
afterAll(async () => {
  await db?.destroy()
  await domain?.close()
})

function fail(error: Error): never {
  throw error
}

/** The exported functions of a file of queries that reads or writes one of the growing tables. */
async function functionsOf(file: string): Promise<string[]> {
  const source = readFileSync(join(ROOT, file), 'utf8').replaceAll(/\/\*.*?\*\/|\/\/.*?$/gms, '')
  if (!NAMES_GROWING.test(source)) return []
  const exported: Record<string, unknown> = await import(join(ROOT, file))
  return Object.keys(exported).filter((name) => typeof exported[name] === 'function')
}

/** The statements that a call sends. Its changes are rolled back. */
async function statementsOf(call: (trx: Trx, rows: ManyRows) => unknown): Promise<CompiledQuery[]> {
  const rollBack = new Error('roll back')
  sent = []
  await db
    .transaction()
    .execute(async (trx) => {
      await call(trx, rows)
      throw rollBack
    })
    .catch((error) => {
      if (error !== rollBack) throw error
    })
  const distinct = new Map(sent.map((query) => [query.sql, query]))
  return [...distinct.values()].filter(({ sql: text }) =>
    /^\s*(select|insert|update|delete|with)\b/i.test(text),
  )
}

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  Plans?: Plan[]
}

/** The steps of the plan of a statement. */
async function stepsOf({ sql: text, parameters }: CompiledQuery): Promise<Plan[]> {
  const explain = CompiledQuery.raw(`explain (format json) ${text}`, [...parameters])
  const { rows } = await domain.db.executeQuery<{ 'QUERY PLAN': { Plan: Plan }[] }>(explain)
  const steps = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(steps)]
  return steps(rows[0]!['QUERY PLAN'][0]!.Plan)
}

/** The growing tables that a statement reads from their beginning to their end. */
async function scansOf(statement: CompiledQuery): Promise<string[]> {
  return (await stepsOf(statement))
    .filter((step) => step['Node Type'] === 'Seq Scan' && GROWING.includes(step['Relation Name']!))
    .map((step) => step['Relation Name']!)
}

const FILES = globSync('src/**/*queries.ts', { cwd: ROOT }).sort()

test('every function that asks a growing table is called', async () => {
  const functions = await Promise.all(FILES.map(functionsOf))
  const called = [...Object.keys(CALLS), ...Object.keys(NOT_CALLED)]
  expect(called.toSorted()).toEqual(functions.flat().toSorted())
})

describe('with 50,000 photos, faces, jobs and matches', () => {
  test.each(Object.entries(CALLS))('%s reads no growing table completely', async (_name, call) => {
    const statements = await statementsOf(call)
    expect(statements.length).toBeGreaterThan(0)
    for (const statement of statements)
      expect({ [statement.sql]: await scansOf(statement) }).toEqual({ [statement.sql]: [] })
  })

  // Another index finds the rows, too, but also all others of the album, the submission or the queue.
  test.each([
    ['countPhotosWithoutFace', 'photos_without_face'],
    ['photosWithoutFace', 'photos_without_face'],
    ['photosWithUnindexedFaces', 'photos_with_unindexed_faces'],
    ['photosNotMoved', 'photos_not_moved'],
    ['countGivenUp', 'photos_given_up'],
    ['countHiddenPhotos', 'photos_hidden'],
    ['showPhotos', 'photos_hidden'],
    ['skippedFiles', 'photos_given_up'],
    ['countPhotosByStage', 'photos_given_up'],
    ['photosInOrder', 'photos_in_order'],
    ['resultsFinder', 'submission_matches_best'],
    ['findMatches', 'submission_matches_best'],
    ['readQueues', 'job_common_active'],
  ])('%s reads only the rows of the index %s', async (name, index) => {
    const [statement] = (await statementsOf(CALLS[name]!)).slice(-1)
    const steps = await stepsOf(statement!)
    expect(steps.map((step) => step['Index Name'])).toContain(index)
  })

  test('a complete read is noticed', async () => {
    const statements = await statementsOf((trx) =>
      trx.selectFrom('photos').select('id').where('width', '=', 1).execute(),
    )
    expect(await scansOf(statements[0]!)).toEqual(['photos'])
  })
})

test('an index finds the rows that are deleted with a row that they refer to', async () => {
  const { rows: missing } = await sql<{ reference: string }>`
    select conrelid::regclass || '.' || attname as reference
    from pg_constraint
    join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where contype = 'f' and conrelid::regclass::text = any(${GROWING})
      and not exists (
        select from pg_index where indrelid = conrelid and indkey[0] = conkey[1] and indpred is null
      )`.execute(domain.db)
  expect(missing).toEqual([])
})

import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { Album } from '../database/schema.ts'
import { createTestDomain, type TestDomain } from './domain.ts'

export let domain: TestDomain
export let album: Album

/** Starts a test domain for a test file, and creates an album for each of its tests. */
export function newAlbumForEachTest(): void {
  beforeAll(async () => {
    domain = await createTestDomain()
  })
  afterAll(() => domain?.close())
  beforeEach(async () => {
    album = await domain.newAlbum()
  })
}

/** A test domain for the tests of a file, which ends with them. */
export async function domainOfFile(): Promise<TestDomain> {
  const started = await createTestDomain()
  afterAll(() => started.close())
  return started
}

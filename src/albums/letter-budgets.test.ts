import { afterAll, beforeAll, expect, test } from 'vitest'
import { completeRound } from '../testing/completed-round.ts'
import { createTestDomain, type TestDomain } from '../testing/domain.ts'
import { beginLetter, secondsUntilUnconfirmed } from './begin-letter.ts'

const EMAIL = 'victim@example.com'

let domain: TestDomain
beforeAll(async () => {
  domain = await createTestDomain()
})
afterAll(() => domain?.close())

test('letters that strangers ask for in the name of an address delay no letter of another kind to it', async () => {
  const isSent = (kind: 'request' | 'optOut') =>
    domain.db
      .transaction()
      .execute(async (trx) => (await secondsUntilUnconfirmed(trx, domain.keyring, EMAIL, kind)) === 0)
  for (let letter = 0; letter < 6; letter++) expect(await isSent('request')).toBe(true)
  expect(await isSent('request')).toBe(false)
  for (let letter = 0; letter < 3; letter++) expect(await isSent('optOut')).toBe(true)
  expect(await isSent('optOut')).toBe(false)
  const rounds = []
  for (let number = 0; number < 2; number++) rounds.push(await completeRound(domain, { email: EMAIL }))
  for (const { roundId } of rounds) expect(await beginLetter(domain, roundId)).toBeDefined()
})

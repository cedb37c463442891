import { expect, test } from 'vitest'
import { createKeyring } from '../keyring.ts'
import { idOfLetterToken, isLetterTokenFor, letterToken } from './letter-token.ts'

const ID = '7b1f4a52-5a0c-4b7e-9f6d-2a8a3c1de001'
const CLAIM = 'end album 1'
const keyring = createKeyring(['secret'])
const TOKEN = 'ex9KUloMS36fbSqKPB3gAbYrWOezDzm0kHAmRPPhX_g'

test('has the form of the tokens that are in letters already', () => {
  expect(letterToken(keyring, ID, CLAIM)).toBe(TOKEN)
  expect(idOfLetterToken(TOKEN)).toBe(ID)
  expect(isLetterTokenFor(keyring, TOKEN, CLAIM)).toBe(true)
})

test('is not valid for another claim, and when its signature was changed or cut', () => {
  expect(isLetterTokenFor(keyring, TOKEN, 'end album 2')).toBe(false)
  for (const forged of [`${TOKEN.slice(0, -2)}AA`, TOKEN.slice(0, -2), `${TOKEN}AA`, ''])
    expect(isLetterTokenFor(keyring, forged, CLAIM), forged).toBe(false)
})

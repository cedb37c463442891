import { expect, test } from 'vitest'
import { readPastedCode } from './pasted-code.ts'

const CODE = '4/0AX4XfWh_a-b'

test.each([
  ['the code', CODE],
  ['the code as the address bar shows it', '4%2F0AX4XfWh_a-b'],
  ['an address without a state', `http://localhost:3000/gmail-oauth?code=${CODE}`],
])('%s is understood', (_what, pasted) => {
  expect(readPastedCode(pasted)).toEqual({ code: CODE, state: undefined })
})

test.each([
  ['the whole address', `https://photos.example.com/gmail-oauth?state=s-1&code=4%2F0AX4XfWh_a-b&scope=email`],
  ['its query', `?code=${CODE}&state=s-1`],
  ['a part of its query', `code=${CODE}&scope=email%20openid&state=s-1#`],
])('%s contains the code and the state', (_what, pasted) => {
  expect(readPastedCode(pasted)).toEqual({ code: CODE, state: 's-1' })
})

test('text with a stray percent sign is not changed', () => {
  expect(readPastedCode('100%')).toEqual({ code: '100%', state: undefined })
})

test('an address with an error from Google throws a message that says what to do', () => {
  const refused = (error: string) => () =>
    readPastedCode(`http://localhost:3000/gmail-oauth?error=${error}&state=s-1`)
  expect(refused('access_denied')).toThrow('The permission was not given')
  expect(refused('%3Cscript%3E')).toThrow(/^Google did not give the permission\. Generate a new address/)
})

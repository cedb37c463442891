import { expect, test } from 'vitest'
import { creationClosed } from '../albums/invitations.ts'
import { authenticateInput } from '../contract/albums.ts'
import { exchangeCodeInput } from '../contract/mail-setup.ts'
import { noPhotoSelected } from '../http/selfies.ts'
import { notAPicture } from '../search/selfie.ts'
import { exchangeCode, getStarted, passwordGate, selfieFile, selfieForm } from './english.ts'

const entered = (shape: typeof authenticateInput.shape.password | typeof exchangeCodeInput.shape.code) =>
  [undefined, ''].map((value) => shape.safeParse(value).error?.issues[0]?.message)

// The pages check these before they ask the service, and their texts are translated.
test('a page and the service say the same about the same fault', () => {
  expect(noPhotoSelected().message).toBe(selfieForm.missing)
  expect(notAPicture().message).toBe(selfieFile.wrongTypeText)
  expect(creationClosed().message).toBe(getStarted.closed)
  expect(entered(authenticateInput.shape.password)).toEqual([
    passwordGate.missingText,
    passwordGate.missingText,
  ])
  expect(entered(exchangeCodeInput.shape.code)).toEqual([exchangeCode.missing, exchangeCode.missing])
})

import { uuidOf } from '../database/uuid.ts'
import { AppError } from '../errors.ts'
import type { Keyring } from '../keyring.ts'

/** An id and a signature, as base64url. */
const RECEIPT = /^[A-Za-z0-9_-]{43}$/
const ID_BYTES = 16

export const invalidReceipt = () => new AppError('NOT_FOUND', 'This receipt is not valid')

/** What a guest keeps: who has it can undo the opt-out. It says nothing about the person, and cannot be guessed.
 *  @param id of the opt-out */
export function receiptOf(keyring: Keyring, id: string): string {
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex')
  return Buffer.concat([bytes, keyring.sign('opt-out-receipt', id)]).toString('base64url')
}

/** The id of the opt-out that a receipt is for.
 *  @throws AppError NOT_FOUND when the receipt is forged */
export function idOfReceipt(keyring: Keyring, receipt: string): string {
  if (!RECEIPT.test(receipt)) throw invalidReceipt()
  const bytes = Buffer.from(receipt, 'base64url')
  const id = uuidOf(bytes)
  if (!keyring.isSigned('opt-out-receipt', bytes.subarray(ID_BYTES), id)) throw invalidReceipt()
  return id
}

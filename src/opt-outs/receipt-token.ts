import { z } from 'zod'
import { AppError } from '../errors.ts'
import { type Keyring, TokenRefused } from '../keyring.ts'

export const invalidReceipt = () => new AppError('NOT_FOUND', 'This receipt is not valid')

/** What a guest keeps: who has it can undo the opt-out. It says nothing about the person, and cannot be guessed.
 *  @param id of the opt-out */
export const receiptOf = (keyring: Keyring, id: string) => keyring.seal('opt-out-receipt', '', id)

/** The id of the opt-out that a receipt is for.
 *  @throws AppError NOT_FOUND when the receipt is forged */
export function idOfReceipt(keyring: Keyring, receipt: string): string {
  try {
    return keyring.open('opt-out-receipt', '', z.uuid(), receipt)
  } catch (error) {
    if (error instanceof TokenRefused) throw invalidReceipt()
    throw error
  }
}

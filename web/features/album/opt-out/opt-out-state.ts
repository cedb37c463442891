import type { OptOutStateName } from '../../../../src/contract/opt-outs.ts'
import { optOutReceipt as texts } from '../../../../src/texts/english/opt-outs.ts'
import { formatMoment } from '../../../lib/format.ts'

export interface OptOutNow {
  state: OptOutStateName
  faces: number
  eraseAt: string
}

/** What has become of an opt-out, in a sentence for the guest. */
export function sentenceOf({ state, faces, eraseAt }: OptOutNow): string {
  return texts[state](faces, formatMoment(eraseAt))
}

/** Whether the guest can still undo it. */
export function canUndo({ state }: Pick<OptOutNow, 'state'>): boolean {
  return state === 'active'
}

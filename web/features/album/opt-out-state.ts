import type { OptOutStateName } from '../../../src/contract/opt-outs.ts'
import { optOutReceipt as texts } from '../../../src/texts/english.ts'
import { formatMoment } from '../../lib/format.ts'

export interface OptOutNow {
  state: OptOutStateName
  faces: number
  permanentAt: string | null
}

/** What has become of an opt-out, in a sentence for the guest. */
export function sentenceOf({ state, faces, permanentAt }: OptOutNow): string {
  if (state === 'hidden' || state === 'permanent') return texts[state](faces, formatMoment(permanentAt!))
  return texts[state](faces)
}

/** Whether the guest can still take it back. */
export function canUndo({ state }: Pick<OptOutNow, 'state'>): boolean {
  return state === 'hidden' || state === 'waiting'
}

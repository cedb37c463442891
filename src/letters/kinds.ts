import type { LetterKind } from '../database/schema.ts'
import type { Kind } from './kind.ts'
import { confirmAddress } from './kinds/confirm-address.ts'
import { confirmNews } from './kinds/confirm-news.ts'
import { formerAddress } from './kinds/former-address.ts'
import { news } from './kinds/news.ts'
import { optOuts } from './kinds/opt-outs.ts'
import { ready } from './kinds/ready.ts'

/** All letters. */
export const KINDS: Record<LetterKind, Kind> = {
  ready,
  'confirm-address': confirmAddress,
  'former-address': formerAddress,
  'opt-outs': optOuts,
  'confirm-news': confirmNews,
  news,
}

import type { AlbumLetterKind, LETTERS_OF_NO_ALBUM } from '../database/schema.ts'
import type { Kind, LooseKind } from './kind.ts'
import { confirmAddress } from './kinds/confirm-address.ts'
import { confirmNews } from './kinds/confirm-news.ts'
import { erased } from './kinds/erased.ts'
import { formerAddress } from './kinds/former-address.ts'
import { myAlbums } from './kinds/my-albums.ts'
import { news } from './kinds/news.ts'
import { optOuts } from './kinds/opt-outs.ts'
import { ready } from './kinds/ready.ts'

/** All letters about an album. */
export const KINDS: Record<AlbumLetterKind, Kind> = {
  ready,
  'confirm-address': confirmAddress,
  'former-address': formerAddress,
  'opt-outs': optOuts,
  'confirm-news': confirmNews,
  news,
}

/** All others. */
export const LOOSE_KINDS: Record<(typeof LETTERS_OF_NO_ALBUM)[number], LooseKind> = {
  'my-albums': myAlbums,
  erased,
}

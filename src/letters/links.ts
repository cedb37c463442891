import { z } from 'zod'
import { deskPath, ownerLink } from '../contract/albums/owner-link.ts'
import { PAGES } from '../contract/pages.ts'
import type { Album, LetterRow } from '../database/schema.ts'
import { AppError } from '../errors.ts'
import { type Keyring, TokenRefused } from '../keyring.ts'
import { type AddressHashes, guestAddressHashes, ownerAddressHashes } from './addresses.ts'

/** What the link of a letter allows, for an album unless something else is said.
 *  `open`: to confirm the address by opening the album. `own`: to enter as the owner. `browser`: the same, for a browser that has
 *  lost the owner key; no letter has it. `return`: as `own`, from a letter that its reader has asked for. `stop`: to end the
 *  letters to one address. `address`: to confirm the address of a letter. `confirmAlert`, `endAlert`: an alert.
 *  `endNews`: the alert of a letter. `refuseAlert`: an alert, and every further one for this address. */
const content = z.object({
  use: z.enum([
    ...(['open', 'own', 'return', 'browser', 'stop', 'address'] as const),
    ...(['confirmAlert', 'endAlert', 'endNews', 'refuseAlert'] as const),
  ]),
  id: z.uuid(),
  /** Keyed hash of the address that the letter goes to. */
  to: z.base64url().optional(),
  /** That of the owner key. A new key ends what a former owner may do. */
  version: z.number().optional(),
})
export type LinkContent = z.infer<typeof content>
type Use = LinkContent['use']

export const invalidLetterLink = () => new AppError('NOT_FOUND', 'This link is not valid')

/** The token in a link of a letter. Nobody else can make, read or change one. */
export function linkToken(keyring: Keyring, link: LinkContent): string {
  return keyring.seal('letter-link', CONTEXT, link)
}

/** What a token allows.
 *  @throws AppError NOT_FOUND when the service has not made it, or for none of these uses */
export function readLink(keyring: Keyring, token: string, ...uses: Use[]): LinkContent {
  try {
    const link = keyring.open('letter-link', CONTEXT, content, token)
    if (uses.includes(link.use)) return link
  } catch (error) {
    if (!(error instanceof TokenRefused)) throw error
  }
  throw invalidLetterLink()
}

const CONTEXT = 'link'

type Owned = Pick<Album, 'id' | 'email' | 'owner_key_version'>
type Named = Owned & Pick<Album, 'slug'>
type Addressed = Pick<Album, 'id' | 'email'>

const codeOf = ([hash]: AddressHashes) => hash.toString('base64url')
const ownerCode = (keyring: Keyring, { id, email }: Addressed) =>
  codeOf(ownerAddressHashes(keyring, id, email))

/** Whether a link is for the present owner of an album at its present address. */
export function isForOwner(keyring: Keyring, { to, version }: LinkContent, album: Owned): boolean {
  return version === album.owner_key_version && isForAddress(keyring, to, album)
}

/** Whether a hash of a link is that of an album's address. */
export function isForAddress(keyring: Keyring, to: string | undefined, { id, email }: Addressed): boolean {
  return ownerAddressHashes(keyring, id, email).some((hash) => hash.toString('base64url') === to)
}

/** The addresses in a letter to an album's owner. Tokens are behind the `#`, where no server sees them, except in `stopUrl`:
 *  mail programs call that one themselves (RFC 8058). Owners may pass the link to the album on, so its token must not end letters. */
export function letterLinks(keyring: Keyring, siteUrl: string, album: Named) {
  const plain = `${siteUrl}/album/${album.slug}`
  return {
    /** The album. Opening it confirms the address. */
    open: `${plain}#letter=${ownersToken(keyring, 'open', album)}`,
    /** The same, which confirms nothing. */
    plain,
    /** The album, as its organiser. Only a letter to a confirmed address has it. */
    owner: siteUrl + ownerLink(album.slug, ownersToken(keyring, 'own', album)),
    ...stopLinks(keyring, siteUrl, album),
  }
}

/** The desk of an album, as its organiser, for somebody who has asked for it. So its use also confirms the address. */
export const returnLink = (keyring: Keyring, siteUrl: string, album: Named) =>
  siteUrl + ownerLink(album.slug, ownersToken(keyring, 'return', album))

/** The addresses that end an album's letters to one address. They stay valid when the owner key or the address changes: all
 *  that they do is to keep letters from that address, and no owner may take that from its reader. */
export function stopLinks(keyring: Keyring, siteUrl: string, album: Addressed) {
  const token = linkToken(keyring, { use: 'stop', id: album.id, to: ownerCode(keyring, album) })
  const page = `${siteUrl}${PAGES.stopLetters.path}`
  return {
    /** The page with the button that ends the letters. */
    stop: `${page}#${token}`,
    /** A POST to it ends the letters at once. */
    stopUrl: `${page}?token=${token}`,
  }
}

/** The page with the button that confirms a new address for an album's letters.
 *  @param album with that address */
export function addressLink(keyring: Keyring, siteUrl: string, album: Owned, letterId: string): string {
  const { owner_key_version: version } = album
  const token = linkToken(keyring, { use: 'address', id: letterId, to: ownerCode(keyring, album), version })
  return `${siteUrl}${PAGES.letterAddress.path}#${token}`
}

/** The part of the desk in which the owner answers opt-outs. `plain` gives no right: a browser of the owner opens it. */
export function optOutsLinks(keyring: Keyring, siteUrl: string, album: Named) {
  return {
    plain: siteUrl + deskPath(album.slug, 'opt-outs'),
    owner: siteUrl + ownerLink(album.slug, ownersToken(keyring, 'own', album), 'opt-outs'),
  }
}

function ownersToken(keyring: Keyring, use: Use, album: Owned): string {
  const { id, owner_key_version: version } = album
  return linkToken(keyring, { use, id, to: ownerCode(keyring, album), version })
}

/** The addresses in the letters to a guest. The page has a button for each: programs that check the links of a letter open
 *  them, too. */
export function alertLinks(
  keyring: Keyring,
  siteUrl: string,
  letter: Pick<LetterRow, 'id' | 'album_id' | 'subject_id'>,
  email: string,
) {
  const page = `${siteUrl}${PAGES.photoLetters.path}`
  const id = letter.subject_id!
  const to = codeOf(guestAddressHashes(keyring, letter.album_id!, email))
  const end = linkToken(keyring, { use: 'endNews', id: letter.id })
  const refuse = linkToken(keyring, { use: 'refuseAlert', id, to })
  return {
    confirm: `${page}#confirm=${linkToken(keyring, { use: 'confirmAlert', id })}`,
    end: `${page}#end=${end}`,
    endUrl: `${page}?token=${end}`,
    refuse: `${page}#refuse=${refuse}`,
    refuseUrl: `${page}?token=${refuse}`,
  }
}

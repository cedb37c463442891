import { shareLinks as texts } from '../../../src/texts/english/organiser.ts'
export interface Shared {
  displayName: string
  /** The album page's whole address. */
  address: string
  password: string
}

/** Where the share buttons lead. The message has the album's name, its address and its password (§7). The professional
 *  network's link takes an address only, and a public post is no place for a password. */
export function shareLinks(shared: Shared): { message: string; network: string; email: string } {
  const text = shareText(shared)
  const subject = texts.subject(shared.displayName)
  // RFC 6068 §5: a line break in a mail address is %0D%0A.
  const body = text.replaceAll('\n', '\r\n')
  return {
    message: `https://wa.me/?text=${encodeURIComponent(text)}`,
    network: `https://www.linkedin.com/sharing/share-offsite/?url=${encodeURIComponent(shared.address)}`,
    email: `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`,
  }
}

export const shareText = ({ displayName, address, password }: Shared): string =>
  texts.message(displayName, address, password)

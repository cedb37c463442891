/** Zero-width characters, marks of direction and soft hyphens, which come with a copied text. */
const INVISIBLE = /\p{Cf}/gu

/** An address without invisible characters and blanks around it, and with its domain in ASCII, as mail servers know it:
 *  müller.de is xn--mller-kva.de (RFC 3492). */
export function plainEmailAddress(entered: string): string {
  const address = entered.replace(INVISIBLE, '').trim()
  const at = address.lastIndexOf('@')
  return at < 0 ? address : `${address.slice(0, at)}@${asciiDomain(address.slice(at + 1))}`
}

/** The domain as it is when it is none. */
function asciiDomain(domain: string): string {
  // What ends the host of an address would be cut off.
  if (/[\s/\\?#@:[\]%]/.test(domain)) return domain
  try {
    return new URL(`http://${domain}`).hostname
  } catch {
    return domain
  }
}

/** The local part is a dot-atom (RFC 5321 §4.1.2): words of these characters with single dots between them. */
const ATOM_CHARACTER = /[\w!#$%&'*+/=?^`{|}~-]/
const DOMAIN = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+([a-z]{2,63}|xn--[a-z0-9-]{2,59})$/i

/** Why a plain address cannot be one; undefined when it can. */
export function emailFault(address: string): string | undefined {
  const at = address.lastIndexOf('@')
  if (at <= 0 || at === address.length - 1) return 'Please enter a valid email address'
  const local = address.slice(0, at)
  const wrong = [...local].find((character) => character !== '.' && !ATOM_CHARACTER.test(character))
  if (wrong) return `Please enter a valid email address: ${nameOf(wrong)} cannot stand before the @`
  if (local.length > 64)
    return 'Please enter a valid email address: at most 64 characters can stand before the @'
  if (/^\.|\.\.|\.$/.test(local)) return 'Please enter a valid email address: a dot stands in the wrong place'
  if (!DOMAIN.test(address.slice(at + 1)))
    return 'Please enter a valid email address: what stands behind the @ is no domain'
}

const nameOf = (character: string) => (/\s/.test(character) ? 'a blank' : `"${character}"`)

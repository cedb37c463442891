/** The address of a page that was meant by one that a mail program, a messenger or a finger has changed: with doubled
 *  slashes, capitals, `%23` in the place of `#`, or something behind the album's name that no name can contain, such as
 *  a full stop, a bracket or `&fbclid=…`.
 *  @param url path and query
 *  @returns path, query and fragment; the same when nothing was changed */
export function meantAddress(url: string): string {
  const [, whole, query] = /^([^?]*)(.*)$/s.exec(url)!
  const [encoded, fragment] = splitAt(whole!.replace(/\/{2,}/g, '/'), /%23/)
  const path = albumPath(encoded) ?? encoded
  // In a fragment that was encoded, its own = was, too.
  return (
    path +
    query +
    (fragment === undefined ? '' : `#${fragment.replaceAll('%3D', '=').replaceAll('%3d', '=')}`)
  )
}

function splitAt(text: string, mark: RegExp): [string, string | undefined] {
  const at = text.search(mark)
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 3)]
}

/** @returns undefined when it is not the path of an album's page, or names no album */
function albumPath(path: string): string | undefined {
  const [, name, rest] = /^\/album\/([a-z0-9-]+)(.*)$/is.exec(path) ?? []
  if (!name || rest!.lastIndexOf('/') > 0) return undefined
  return `/album/${name.toLowerCase()}${rest!.startsWith('/') ? '/' : ''}`
}

/** An address in which every % stands for itself when one of them begins no escape. Otherwise it would be no address. */
export function withWholeEscapes(url: string): string {
  try {
    decodeURIComponent(url)
    return url
  } catch {
    return url.replaceAll('%', '%25')
  }
}

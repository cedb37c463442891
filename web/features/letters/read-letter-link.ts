/** The link of a letter that has led here. The token is behind the `#`, or in the query when a mail program has opened the
 *  address in the letter's header. It stays in the address, so that the page can be reloaded. */
export function readLetterLink(): { fragment: string; queryToken: string } {
  const { hash, search } = window.location
  return { fragment: hash.slice(1), queryToken: new URLSearchParams(search).get('token') ?? '' }
}

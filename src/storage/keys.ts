const PATH = /^[a-z0-9-][a-z0-9-.]*(\/[a-z0-9-][a-z0-9-.]*)*$/

/** Returns the key. @throws TypeError for an invalid key, which is a programming error. */
export function checkedKey(key: string): string {
  if (!PATH.test(key)) throw new TypeError(`Invalid storage key: ${JSON.stringify(key)}`)
  return key
}

/** Returns a folder without the slash at its end. @throws TypeError as checkedKey does. */
export function checkedFolder(prefix: string): string {
  return checkedKey(prefix.endsWith('/') ? prefix.slice(0, -1) : prefix)
}

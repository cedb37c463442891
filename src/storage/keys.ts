const PATH = /^[a-z0-9-][a-z0-9-.]*(\/[a-z0-9-][a-z0-9-.]*)*$/

/** @throws TypeError for anything that is no key: a fault of the program. */
export function checkedKey(key: string): string {
  if (!PATH.test(key)) throw new TypeError(`Not a storage key: ${JSON.stringify(key)}`)
  return key
}

/** A folder, without the slash at its end. */
export function checkedFolder(prefix: string): string {
  return checkedKey(prefix.endsWith('/') ? prefix.slice(0, -1) : prefix)
}

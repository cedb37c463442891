/** Whether a file is a photo in the iPhone's own format, by its type, or by its name when it has none. */
export function isHeic({ name, type }: { name: string; type: string }): boolean {
  return type ? /^image\/hei[cf]/.test(type) : /\.hei[cf]$/i.test(name)
}

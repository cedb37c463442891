/** Whether a file is a photo in the iPhone's own format, by its name or type. */
export function isHeic({ name, type }: { name: string; type: string }): boolean {
  return /\.hei[cf]$/i.test(name) || /^image\/hei[cf]/.test(type)
}

/** Whether a file is a photo in the iPhone's own format, by its name or type. A type that says another picture is right. */
export function isHeic({ name, type }: { name: string; type: string }): boolean {
  if (/^image\/(jpeg|png|gif|webp)$/.test(type)) return false
  return /\.hei[cf]$/i.test(name) || /^image\/hei[cf]/.test(type)
}

const HEAD_BYTES = 12

/** The media type of a picture by its first bytes, as the service tells it; undefined for anything else. Names and the
 *  types that browsers derive from them can be wrong. */
export async function pictureType(file: Blob): Promise<string | undefined> {
  const head = await file
    .slice(0, HEAD_BYTES)
    .arrayBuffer()
    .catch(() => new ArrayBuffer(0))
  const text = String.fromCharCode(...new Uint8Array(head))
  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (/^GIF8[79]a/.test(text)) return 'image/gif'
  if (/^RIFF....WEBP/s.test(text)) return 'image/webp'
  return undefined
}

/** Gives a file whose name says something else, or nothing, the type that it has. */
export async function withTypeOfContent(file: File): Promise<File> {
  const type = await pictureType(file)
  if (type) Object.defineProperty(file, 'type', { value: type })
  return file
}

/** Whether a file is a photo in the iPhone's own format, by its name or type. A type that says another picture is that of
 *  its content. */
export function isHeic({ name, type }: { name: string; type: string }): boolean {
  if (/^image\/(jpeg|png|gif|webp)$/.test(type)) return false
  return /\.hei[cf]$/i.test(name) || /^image\/hei[cf]/.test(type)
}

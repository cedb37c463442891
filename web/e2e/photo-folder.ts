import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import sharp from 'sharp'

export interface PhotoFolder {
  path: string
  /** The full paths of files in it. */
  paths(...names: string[]): string[]
  remove(): Promise<void>
}

/** A folder with these files. Without content of its own a file is a small JPEG, each unlike every other. */
export async function makePhotoFolder(files: Record<string, Buffer | null>): Promise<PhotoFolder> {
  const path = await mkdtemp(join(tmpdir(), 'inframe-photos-'))
  const picture = await smallJpeg()
  for (const [index, [name, content]] of Object.entries(files).entries()) {
    const file = join(path, name)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, content ?? Buffer.concat([picture, Buffer.from(`photo ${index} of ${path}`)]))
  }
  return {
    path,
    paths: (...names) => names.map((name) => join(path, name)),
    remove: () => rm(path, { recursive: true, force: true }),
  }
}

/** 1.jpg, 2.jpg … */
export function numbered(count: number): Record<string, null> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index + 1}.jpg`, null]))
}

/** Bytes behind the end of a JPEG do no harm, so copies of it can be made distinct. */
function smallJpeg(): Promise<Buffer> {
  return sharp({ create: { width: 800, height: 600, channels: 3, background: '#c8a060' } })
    .jpeg()
    .toBuffer()
}

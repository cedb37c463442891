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

/** Creates a folder with these files. For null it writes a small JPEG, each with different bytes. */
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

/** Readers ignore bytes after the end of a JPEG, so copies of it can differ there. */
function smallJpeg(): Promise<Buffer> {
  return sharp({ create: { width: 800, height: 600, channels: 3, background: '#c8a060' } })
    .jpeg()
    .toBuffer()
}

/** For test.extend: a folder with these files for a whole test file. */
export function photoFolder(files: Parameters<typeof makePhotoFolder>[0]) {
  return async (
    // biome-ignore lint/correctness/noEmptyPattern: Vitest insists on a destructuring pattern.
    {},
    { onCleanup }: { onCleanup(cleanUp: () => Promise<void>): void },
  ): Promise<PhotoFolder> => {
    const folder = await makePhotoFolder(files)
    onCleanup(folder.remove)
    return folder
  }
}

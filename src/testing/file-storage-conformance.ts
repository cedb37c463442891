import { randomBytes, randomUUID } from 'node:crypto'
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FileStorage } from '../storage/file-storage.ts'

const JPEG = 'image/jpeg'

/** The tests that every file storage must pass.
 *  @param make creates the storage; each test uses its own folder in it */
export function describeFileStorage(name: string, make: () => Promise<FileStorage>): void {
  describe(`${name} as a file storage`, () => {
    let storage: FileStorage
    let local: string

    beforeAll(async () => {
      storage = await make()
      local = await mkdtemp(join(tmpdir(), 'inframe-storage-'))
    })
    afterAll(() => rm(local, { recursive: true }))

    const newFolder = () => `albums/${randomUUID()}`
    async function localFile(bytes: Buffer): Promise<string> {
      const path = join(local, randomUUID())
      await writeFile(path, bytes)
      return path
    }

    test('keeps 5 MB of arbitrary bytes exactly, written or moved', async () => {
      const folder = newFolder()
      const bytes = randomBytes(5 * 1024 * 1024)
      await storage.write(`${folder}/written`, bytes, JPEG)
      const path = await localFile(bytes)
      await storage.move(path, `${folder}/moved`, JPEG)
      await expect(access(path)).rejects.toMatchObject({ code: 'ENOENT' })
      expect(bytes.equals(await storage.read(`${folder}/written`))).toBe(true)
      expect(bytes.equals(await storage.read(`${folder}/moved`))).toBe(true)
      const { stream, size } = await storage.open(`${folder}/moved`)
      expect(size).toBe(bytes.length)
      expect(bytes.equals(await buffer(stream))).toBe(true)
    })

    test('keeps a file of 0 bytes', async () => {
      const key = `${newFolder()}/empty`
      await storage.write(key, Buffer.alloc(0), JPEG)
      expect(await storage.read(key)).toHaveLength(0)
      expect(await storage.exists(key)).toBe(true)
      const { stream, size } = await storage.open(key)
      expect(size).toBe(0)
      expect(await buffer(stream)).toHaveLength(0)
    })

    test('replaces a key, by writing and by moving', async () => {
      const key = `${newFolder()}/original`
      await storage.write(key, Buffer.from('the first, which is longer'), JPEG)
      await storage.write(key, Buffer.from('the second'), JPEG)
      expect((await storage.read(key)).toString()).toBe('the second')
      await storage.move(await localFile(Buffer.from('third')), key, JPEG)
      expect((await storage.read(key)).toString()).toBe('third')
      expect(await storage.count(key.slice(0, key.lastIndexOf('/')))).toBe(1)
    })

    test('throws NOT_FOUND for a missing key', async () => {
      const folder = newFolder()
      await storage.write(`${folder}/a/original`, Buffer.from('a'), JPEG)
      for (const key of [`${folder}/b/original`, `${folder}/a`, `${folder}/a/original/deeper`]) {
        await expect(storage.read(key)).rejects.toMatchObject({ name: 'AppError', code: 'NOT_FOUND' })
        await expect(storage.open(key)).rejects.toMatchObject({ name: 'AppError', code: 'NOT_FOUND' })
        expect(await storage.exists(key)).toBe(false)
      }
    })

    test('deletes a key and nothing else, and ignores a missing one', async () => {
      const folder = newFolder()
      await storage.write(`${folder}/a`, Buffer.from('a'), JPEG)
      await storage.write(`${folder}/b`, Buffer.from('b'), JPEG)
      await storage.delete(`${folder}/a`)
      expect(await storage.exists(`${folder}/a`)).toBe(false)
      expect((await storage.read(`${folder}/b`)).toString()).toBe('b')
      await storage.delete(`${folder}/a`)
      await storage.delete(`${newFolder()}/never/was`)
    })

    test('counts and deletes a folder, but not another one whose name begins in the same way', async () => {
      const folder = newFolder()
      for (const key of [`${folder}/1/x/original`, `${folder}/1/x/thumb`, `${folder}/1/y/original`])
        await storage.write(key, Buffer.from(key), JPEG)
      await storage.write(`${folder}/10/x/original`, Buffer.from('kept'), JPEG)
      expect(await storage.count(`${folder}/1/`)).toBe(3)
      expect(await storage.count(`${folder}/1`)).toBe(3)
      await storage.deleteFolder(`${folder}/1`)
      expect(await storage.count(`${folder}/1/`)).toBe(0)
      expect(await storage.exists(`${folder}/1/x/original`)).toBe(false)
      expect((await storage.read(`${folder}/10/x/original`)).toString()).toBe('kept')
      expect(await storage.count(folder)).toBe(1)
    })

    test('counts 0 in a missing folder, and deletes it without an error', async () => {
      const folder = newFolder()
      expect(await storage.count(folder)).toBe(0)
      await storage.deleteFolder(`${folder}/`)
    })

    test('deletes a folder in several calls, when each has too little time', async () => {
      const folder = newFolder()
      for (const photo of [1, 2, 3])
        await storage.write(`${folder}/${photo}/original`, Buffer.from('x'), JPEG)
      expect(await storage.count(folder)).toBe(3)
      expect(await storage.deleteFolder(folder, AbortSignal.abort())).toBe(false)
      expect(await storage.count(folder)).toBe(3)
      expect(await storage.deleteFolder(folder, new AbortController().signal)).toBe(true)
      expect(await storage.count(folder)).toBe(0)
    })

    test('leaves one whole file when several write the same key at once', async () => {
      const key = `${newFolder()}/original`
      const writers = Array.from({ length: 8 }, (_, writer) => Buffer.alloc(300_000 + writer, writer))
      await Promise.all(
        writers.map(async (bytes, writer) =>
          writer % 2 === 0
            ? storage.write(key, bytes, JPEG)
            : storage.move(await localFile(bytes), key, JPEG),
        ),
      )
      const kept = await storage.read(key)
      expect(writers.filter((bytes) => bytes.equals(kept))).toHaveLength(1)
      expect(await storage.count(key.slice(0, key.lastIndexOf('/')))).toBe(1)
    })

    test('lets a reader finish the file that it opened while the key is replaced', async () => {
      const key = `${newFolder()}/original`
      const old = randomBytes(2_000_000)
      await storage.write(key, old, JPEG)
      const { stream } = await storage.open(key)
      await storage.write(key, Buffer.from('new'), JPEG)
      expect(old.equals(await buffer(stream))).toBe(true)
      expect((await storage.read(key)).toString()).toBe('new')
    })

    test('throws a TypeError for an invalid key', async () => {
      for (const key of [
        '',
        '/etc/passwd',
        '../outside',
        'albums/../../outside',
        'albums//original',
        'albums/.hidden',
        'albums/1/',
        'albums/A',
        'albums/a b',
        'albums\\a',
        'albums/a\0',
        'albums/a\n',
      ]) {
        await expect(storage.write(key, Buffer.from('x'), JPEG), key).rejects.toThrow(TypeError)
        await expect(storage.read(key), key).rejects.toThrow(TypeError)
        await expect(storage.delete(key), key).rejects.toThrow(TypeError)
      }
      for (const prefix of ['', '/', '..', 'albums/..', 'albums//'])
        await expect(storage.deleteFolder(prefix), prefix).rejects.toThrow(TypeError)
    })
  })
}

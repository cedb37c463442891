import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, mkdtemp, open, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { describeFileStorage } from '../testing/file-storage-conformance.ts'
import { folderOfFile } from '../testing/folder-of-file.ts'
import { createDiskStorage } from './disk.ts'
import { storeFault } from './disk-faults.ts'

const parent = await folderOfFile()

/** Every file and folder, however deep. */
const filesIn = async (root: string) => (await readdir(root, { recursive: true })).toSorted()

const newRoot = () => join(parent, randomUUID())

describeFileStorage('the disk', () => createDiskStorage(newRoot()))

test('keeps files and folders that only its own account can read', async () => {
  const root = newRoot()
  const storage = await createDiskStorage(root)
  const uploaded = join(parent, randomUUID())
  await writeFile(uploaded, 'moved', { mode: 0o600 })
  await storage.move(uploaded, 'albums/1/moved', 'image/jpeg')
  await storage.write('albums/1/written', Buffer.from('written'), 'image/jpeg')
  const mode = async (path: string) => (await stat(join(root, path))).mode & 0o777
  expect(await mode('albums/1/moved')).toBe(0o600)
  expect(await mode('albums/1/written')).toBe(0o600)
  expect(await mode('albums/1')).toBe(0o700)
  expect(await mode('albums')).toBe(0o700)
  expect(await mode('')).toBe(0o700)
})

test('an ordinary disk lacks nothing', async () => {
  expect((await createDiskStorage(newRoot())).lacks).toEqual([])
})

test.each(['EPERM', 'EINVAL', 'ENOTSUP', 'ENOSYS'])(
  'a disk that keeps no modes and answers %s when the names in a folder are to be durable takes files, and says what it lacks',
  async (code) => {
    const root = newRoot()
    await mkdir(join(root, '.partial'), { recursive: true, mode: 0o755 })
    const file = await open(join(root, '.partial'))
    const handle = Object.getPrototypeOf(file)
    await file.close()
    const sync = handle.sync
    vi.spyOn(handle, 'sync').mockImplementation(async function (this: FileHandle) {
      if ((await this.stat()).isDirectory()) throw Object.assign(new Error(`${code}: fsync`), { code })
      return await sync.call(this)
    })
    onTestFinished(() => void vi.restoreAllMocks())
    const storage = await createDiskStorage(root)
    expect(storage.lacks).toEqual([
      'other accounts of this machine may read the photos',
      'a power cut may take photos that have just arrived',
    ])
    const uploaded = join(parent, randomUUID())
    await writeFile(uploaded, 'moved')
    await storage.move(uploaded, 'albums/1/x/original', 'image/jpeg')
    await storage.write('albums/1/x/thumb', Buffer.from('written'), 'image/jpeg')
    expect(await storage.count('albums/1')).toBe(2)
    await storage.deleteFolder('albums/1')
    expect(await storage.count('albums/1')).toBe(0)
  },
)

test('moves a file in from another filesystem', async (context) => {
  const device = async (path: string) => (await stat(path).catch(() => undefined))?.dev
  const here = await device(parent)
  // The temporary files of the tests may be in one of them.
  const devices = await Promise.all(
    ['/dev/shm', '/var/tmp'].map(async (path) => [path, await device(path)] as const),
  )
  const elsewhere = devices.find(([, other]) => other !== undefined && other !== here)?.[0]
  if (!elsewhere) return context.skip('no second filesystem on this machine')
  const folder = await mkdtemp(join(elsewhere, 'inframe-'))
  try {
    const root = newRoot()
    const storage = await createDiskStorage(root)
    await writeFile(join(folder, 'upload'), 'from afar')
    await storage.move(join(folder, 'upload'), 'albums/1/original', 'image/jpeg')
    expect((await storage.read('albums/1/original')).toString()).toBe('from afar')
    expect((await stat(join(root, 'albums/1/original'))).mode & 0o777).toBe(0o600)
    expect(await readdir(folder)).toEqual([])
    expect(await readdir(join(root, '.partial'))).toEqual([])
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('removes old half-written files, and not those that are being written', async () => {
  const root = newRoot()
  const storage = await createDiskStorage(root)
  await writeFile(join(root, '.partial/abandoned'), 'half')
  await writeFile(join(root, '.partial/being-written'), 'half')
  const fourMinutesAgo = new Date(Date.now() - 4 * 60_000)
  await utimes(join(root, '.partial/abandoned'), fourMinutesAgo, fourMinutesAgo)
  await storage.removeAbandoned!(3 * 60_000)
  expect(await readdir(join(root, '.partial'))).toEqual(['being-written'])
})

test('leaves nothing behind when a file cannot be placed', async () => {
  const root = newRoot()
  const storage = await createDiskStorage(root)
  await storage.write('albums/1/a', Buffer.from('a file'), 'image/jpeg')
  await expect(storage.write('albums/1/a/b', Buffer.from('below a file'), 'image/jpeg')).rejects.toThrow()
  expect(await readdir(join(root, '.partial'))).toEqual([])
})

test('the deletion of a large album leaves the disk to others', async () => {
  const root = newRoot()
  const storage = await createDiskStorage(root)
  for (let photo = 0; photo < 200; photo++) {
    await mkdir(join(root, `albums/1/${photo}`), { recursive: true })
    await writeFile(join(root, `albums/1/${photo}/original`), 'x')
  }
  let isDone = false
  const done = storage.deleteFolder('albums/1').then(() => {
    isDone = true
  })
  let most = 0
  while (!isDone) {
    most = Math.max(most, diskOperations())
    await setImmediate()
  }
  await done
  expect(await storage.count('albums/1')).toBe(0)
  // Node reads and writes files in four threads.
  expect(most).toBe(1)
})

test('two processes that delete the same folder at once delete all of it', async () => {
  const root = newRoot()
  const [one, other] = [await createDiskStorage(root), await createDiskStorage(root)]
  for (let photo = 0; photo < 100; photo++)
    await one.write(`albums/1/${photo}/original`, Buffer.from('x'), 'image/jpeg')
  await Promise.all([one.deleteFolder('albums/1'), other.deleteFolder('albums/1')])
  expect(await one.count('albums/1')).toBe(0)
})

/** How many operations on files this process waits for. */
const diskOperations = () =>
  process.getActiveResourcesInfo().filter((resource) => resource.startsWith('FSReq')).length

test('loses no write while other albums, and their shared parent folder, are created and deleted', async () => {
  const storage = await createDiskStorage(newRoot())
  const albums = Array.from({ length: 6 }, async (_, album) => {
    const key = `albums/${album}/x/original`
    for (let round = 0; round < 40; round++) {
      await storage.write(key, Buffer.from(`${round}`), 'image/jpeg')
      expect((await storage.read(key)).toString()).toBe(`${round}`)
      await storage.deleteFolder(`albums/${album}`)
    }
  })
  await Promise.all(albums)
})

test('leaves no empty folder behind when an album is erased while files are written to it, or a file is deleted', async () => {
  const root = newRoot()
  const storage = await createDiskStorage(root)
  await Promise.all(
    Array.from({ length: 40 }, async (_, photo) => {
      await storage.write(`albums/1/${photo}/original`, Buffer.from('x'), 'image/jpeg')
      if (photo % 5 === 0) await storage.deleteFolder('albums/1')
    }),
  )
  await storage.deleteFolder('albums/1')
  await storage.write('albums/2/x/original', Buffer.from('x'), 'image/jpeg')
  await storage.delete('albums/2/x/original')
  expect(await filesIn(root)).toEqual(['.partial'])
})

test('says that the storage is full or unavailable, and does not change programming errors', async () => {
  const failing = (code: string) =>
    storeFault(() => Promise.reject(Object.assign(new Error(`${code}: write`), { code })))
  await expect(failing('ENOSPC')).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: 'The photo storage is full',
    cause: { code: 'ENOSPC' },
  })
  for (const code of ['EIO', 'EMFILE', 'EROFS'])
    await expect(failing(code)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', cause: { code } })
  await expect(failing('EISDIR')).rejects.toMatchObject({ code: 'EISDIR' })
})

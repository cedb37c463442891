import { spawnSync } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeDataFolder, namingOwner } from './data-folder.ts'
import { storageUnavailable } from './storage/file-storage.ts'
import { MAIN } from './testing/process.ts'

const NOBODY = { uid: 65534, gid: 65534 }
const asRoot = process.getuid!() === 0

async function place(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'inframe-data-'))
  onTestFinished(() => rm(path, { recursive: true }))
  return path
}

test('a data folder is made with the folders above it, and an existing one is taken as it is', async () => {
  const folder = join(await place(), 'one', 'two')
  await makeDataFolder(folder)
  await makeDataFolder(folder)
  expect((await stat(folder)).isDirectory()).toBe(true)
})

test('a folder that takes no other is named at once', async () => {
  await expect(makeDataFolder('/proc/x')).rejects.toThrow(/^DATA_DIR: \/proc\/x cannot be created \(ENOENT/)
  await expect(makeDataFolder('/proc/x/y')).rejects.toThrow(/^DATA_DIR: \/proc\/x\/y cannot be created/)
})

test('a file in the place of the folder is named', async () => {
  const file = join(await place(), 'file')
  await writeFile(file, '')
  await expect(makeDataFolder(file)).rejects.toThrow('EEXIST')
  await expect(makeDataFolder(join(file, 'inside'))).rejects.toThrow('ENOTDIR')
})

function refused(path: string): Error {
  return Object.assign(new Error(`EACCES: permission denied, open '${path}'`), { code: 'EACCES', path })
}

test.runIf(asRoot)('a part of the folder that another account owns says whose it must be', async () => {
  const folder = await place()
  const files = join(folder, 'files')
  await mkdir(files)
  await chown(files, NOBODY.uid, NOBODY.gid)
  for (const error of [refused(join(files, '.partial')), storageUnavailable(refused(files))])
    expect(await namingOwner(folder, error)).toMatchObject({
      name: 'ConfigError',
      message: `DATA_DIR: ${files} belongs to another account (user id 65534), but Inframe runs as user id 0. Start Inframe as that account, or give it the folder: chown -R 0 ${folder}`,
    })
})

test('a folder that its own account may not use says how to change that', async () => {
  const folder = await place()
  expect(await namingOwner(folder, refused(join(folder, 'outbox')))).toMatchObject({
    message: expect.stringMatching(/^DATA_DIR: \S+ does not allow its own account .*chmod u\+rwX \S+$/),
  })
})

test('any other error stays as it is', async () => {
  const folder = await place()
  for (const error of [new Error('else'), refused('/etc/shadow'), undefined])
    expect(await namingOwner(folder, error)).toBe(error)
})

const canRunAsNobody = asRoot && spawnSync('test', ['-r', MAIN], { ...NOBODY, cwd: '/' }).status === 0

test.runIf(canRunAsNobody)('a start on a folder whose key belongs to root ends with one line', async () => {
  const folder = await place()
  await writeFile(join(folder, 'secret-key'), 'x'.repeat(43), { mode: 0o600 })
  await chmod(folder, 0o755)
  await chown(folder, NOBODY.uid, NOBODY.gid)
  const { status, stderr } = spawnSync(process.execPath, [MAIN], {
    ...NOBODY,
    env: { DATA_DIR: folder, PORT: '0' },
    encoding: 'utf8',
  })
  expect(stderr).toMatch(/^DATA_DIR: \S+secret-key belongs to another account \(user id 0\).*\n$/)
  expect(status).toBe(1)
})

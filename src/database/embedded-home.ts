import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmod,
  chown,
  lstat,
  mkdir,
  mkdtemp,
  readlink,
  realpath,
  rmdir,
  stat,
  symlink,
} from 'node:fs/promises'
import { join } from 'node:path'
import { MACHINE_FOLDER } from './postgres-binaries.ts'

/** Whom the server runs as. */
export interface Account {
  uid: number
  gid: number
}

/** `folder` holds the cluster, its socket and the claim on both. */
export interface Home {
  folder: string
  account: Account
}

/** What Linux and Postgres allow for the path of a Unix socket, in bytes. */
const SOCKET_PATH_LIMIT = 107
export const PORT = 5432

/** The home that a data folder has, with every symbolic link followed, or undefined. */
export async function findHome(dataDir: string): Promise<string | undefined> {
  const entry = join(dataDir, 'postgres')
  if (!(await exists(entry))) return undefined
  return await realpath(entry).catch(async (error) => {
    const target = await readlink(entry)
    throw new Error(`DATA_DIR: ${entry} points to ${target}, and there is no database any more.`, {
      cause: error,
    })
  })
}

/** Finds or makes the home of a data folder: `<dataDir>/postgres`, or, when root starts Inframe in a place that
 *  the server's account cannot reach, a folder of the machine with a symbolic link to it there.
 *  @throws Error one line that names DATA_DIR */
export async function prepareHome(dataDir: string): Promise<Home> {
  const folder = (await findHome(dataDir)) ?? (await makeHome(dataDir))
  const owner = await ownerOf(join(folder, 'cluster'))
  const account = process.getuid!() === 0 ? (owner ?? findServerAccount()) : ownAccount()
  if (owner && owner.uid !== account.uid)
    throw new Error(
      `DATA_DIR: the database in ${folder} belongs to another account (${owner.uid}): start Inframe as that one, or as root.`,
    )
  if (!canReach(folder, account))
    throw new Error(
      `DATA_DIR: the account that runs the database (${account.uid}) cannot reach ${folder}: let others pass through its parent folders, or choose another DATA_DIR.`,
    )
  return { folder, account }
}

async function makeHome(dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true })
  const entry = join(dataDir, 'postgres')
  if (process.getuid!() !== 0 || canReach(dataDir, findServerAccount())) {
    await mkdir(entry, { recursive: true })
    await chmod(entry, 0o755)
  } else {
    await mkdir(MACHINE_FOLDER, { recursive: true })
    const folder = await mkdtemp(join(MACHINE_FOLDER, 'data-'))
    await chmod(folder, 0o755)
    await symlink(folder, entry).catch(async (error) => {
      await rmdir(folder)
      if (error.code !== 'EEXIST') throw error
    })
  }
  return await realpath(entry)
}

/** Where the socket of a home is: inside it, unless that path is too long. */
export function socketFolderOf(home: string): string {
  const inside = join(home, 'socket')
  if (Buffer.byteLength(join(inside, `.s.PGSQL.${PORT}`)) <= SOCKET_PATH_LIMIT) return inside
  // Not os.tmpdir(): every process has to arrive at the same place, whatever its TMPDIR.
  return `/tmp/inframe-${createHash('sha256').update(home).digest('hex').slice(0, 24)}`
}

/** Makes the socket's folder, which nobody but the server's account (and root) can enter. That is what guards the
 *  database: there is no password and no network. */
export async function prepareSocketFolder({ folder, account }: Home): Promise<string> {
  const socketFolder = socketFolderOf(folder)
  await mkdir(socketFolder, { mode: 0o700 }).catch((error) => {
    if (error.code !== 'EEXIST') throw error
  })
  const found = await lstat(socketFolder)
  const isOurs = found.uid === process.getuid!()
  const isPrivate = found.isDirectory() && (found.mode & 0o777) === 0o700
  if (!isPrivate || !(isOurs || found.uid === account.uid))
    throw new Error(`${socketFolder} belongs to somebody else: the database's socket cannot be kept there.`)
  // Only what is root's own: another account's folder could become a link to anything meanwhile.
  if (isOurs) await chown(socketFolder, account.uid, account.gid)
  return socketFolder
}

function ownAccount(): Account {
  return { uid: process.getuid!(), gid: process.getgid!() }
}

/** For root: the account of a Postgres on this machine, or one of our own, made when it is missing. */
function findServerAccount(): Account {
  const found = accountNamed('postgres') ?? accountNamed('inframe')
  if (found) return found
  spawnSync('useradd', [
    '--system',
    '--user-group',
    '--no-create-home',
    '--shell',
    '/usr/sbin/nologin',
    'inframe',
  ])
  const made = accountNamed('inframe')
  if (!made)
    throw new Error(
      'Postgres does not run as root, and no account named postgres or inframe exists or could be made: create one, start Inframe as another user, or set DATABASE_URL.',
    )
  return made
}

function accountNamed(name: string): Account | undefined {
  const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, name], { encoding: 'utf8' }))
  if (uid?.status !== 0 || gid?.status !== 0) return undefined
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
}

/** Asked of the kernel rather than read from the modes, which do not tell of access lists. */
function canReach(folder: string, account: Account): boolean {
  return spawnSync('/bin/sh', ['-c', 'test -x "$0"', folder], { ...account, cwd: '/' }).status === 0
}

async function ownerOf(folder: string): Promise<Account | undefined> {
  if (!(await exists(folder))) return undefined
  const { uid, gid } = await stat(folder)
  return { uid, gid }
}

/** Whether something has this name, be it a link that leads nowhere. */
async function exists(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => true,
    (error) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return false
      throw error
    },
  )
}

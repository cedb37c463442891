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
import { MACHINE_FOLDER } from './binaries.ts'

/** The operating system's account that the server runs as. */
export interface Account {
  uid: number
  gid: number
}

/** The home of an embedded Postgres: `folder` holds the cluster, its socket and the claim on both. */
export interface Home {
  folder: string
  account: Account
}

/** The longest path of a Unix socket that Linux and Postgres allow, in bytes. */
const SOCKET_PATH_LIMIT = 107
export const PORT = 5432

/** The home of a data folder, with every symbolic link resolved; undefined when it has none yet.
 *  @throws Error when the symbolic link to the home leads nowhere */
export async function findHome(dataDir: string): Promise<string | undefined> {
  const entry = join(dataDir, 'postgres')
  if (!(await exists(entry))) return undefined
  return await realpath(entry).catch(async (error) => {
    const target = await readlink(entry)
    throw new Error(
      `DATA_DIR: ${entry} points to ${target}, but the database is no longer there. Restore that folder, or set another DATA_DIR.`,
      {
        cause: error,
      },
    )
  })
}

/** Finds or creates the home of a data folder. It is `<dataDir>/postgres`. When root starts Inframe and the
 *  server's account cannot reach that place, it is a folder under MACHINE_FOLDER, and `<dataDir>/postgres` is a
 *  symbolic link to it.
 *  @throws Error with one line that names DATA_DIR */
export async function prepareHome(dataDir: string): Promise<Home> {
  const folder = (await findHome(dataDir)) ?? (await makeHome(dataDir))
  const owner = await ownerOf(join(folder, 'cluster'))
  const account = process.getuid!() === 0 ? (owner ?? findServerAccount()) : ownAccount()
  if (owner && owner.uid !== account.uid)
    throw new Error(
      `DATA_DIR: the database in ${folder} belongs to another account (user id ${owner.uid}). Start Inframe as that account or as root.`,
    )
  if (!canReach(folder, account))
    throw new Error(
      `DATA_DIR: the account that runs the database (user id ${account.uid}) cannot reach ${folder}. Allow other accounts to enter its parent folders, or choose another DATA_DIR.`,
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

/** The folder of a home's socket: inside the home, unless that path is too long. */
export function socketFolderOf(home: string): string {
  const inside = join(home, 'socket')
  if (Buffer.byteLength(join(inside, `.s.PGSQL.${PORT}`)) <= SOCKET_PATH_LIMIT) return inside
  // Not os.tmpdir(): every process must find the same folder, whatever its TMPDIR.
  return `/tmp/inframe-${createHash('sha256').update(home).digest('hex').slice(0, 24)}`
}

/** Creates the socket's folder, which only the server's account and root can enter. This protects the database,
 *  which has no password and does not listen on any network.
 *  @throws Error when the folder belongs to another account or is open to others */
export async function prepareSocketFolder({ folder, account }: Home): Promise<string> {
  const socketFolder = socketFolderOf(folder)
  await mkdir(socketFolder, { mode: 0o700 }).catch((error) => {
    if (error.code !== 'EEXIST') throw error
  })
  const found = await lstat(socketFolder)
  const isOurs = found.uid === process.getuid!()
  const isPrivate = found.isDirectory() && (found.mode & 0o777) === 0o700
  if (!isPrivate || !(isOurs || found.uid === account.uid))
    throw new Error(
      `The folder of the database's socket, ${socketFolder}, belongs to another account or is open to others. Remove it and start again.`,
    )
  // Only our own folder: another account could replace its folder with a link between the check and this call.
  if (isOurs) await chown(socketFolder, account.uid, account.gid)
  return socketFolder
}

function ownAccount(): Account {
  return { uid: process.getuid!(), gid: process.getgid!() }
}

/** For root: the account `postgres` when the machine has it, otherwise `inframe`, which is created when missing. */
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
      'Postgres refuses to run as root, and the account "inframe" could not be created. Create an account named "postgres" or "inframe", start Inframe as another user, or set DATABASE_URL.',
    )
  return made
}

function accountNamed(name: string): Account | undefined {
  const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, name], { encoding: 'utf8' }))
  if (uid?.status !== 0 || gid?.status !== 0) return undefined
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
}

/** Whether an account can enter a folder. This asks the kernel, because file modes do not show access lists. */
function canReach(folder: string, account: Account): boolean {
  return spawnSync('/bin/sh', ['-c', 'test -x "$0"', folder], { ...account, cwd: '/' }).status === 0
}

async function ownerOf(folder: string): Promise<Account | undefined> {
  if (!(await exists(folder))) return undefined
  const { uid, gid } = await stat(folder)
  return { uid, gid }
}

/** Whether the path exists, even as a symbolic link that leads nowhere. */
async function exists(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => true,
    (error) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return false
      throw error
    },
  )
}

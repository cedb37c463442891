import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from './process.ts'
import type { S3Server } from './s3-stand-in.ts'
import { waitUntil } from './wait.ts'

export const SWIFT_PACKAGES = ['swift-proxy', 'swift-account', 'swift-container', 'swift-object', 'memcached']

export function isSwiftInstalled(): boolean {
  return ['proxy', 'account', 'container', 'object']
    .map((name) => `/usr/bin/swift-${name}-server`)
    .concat('/usr/bin/memcached')
    .every((program) => existsSync(program))
}

const OWNER = { accessKeyId: 'inframe:owner', secretAccessKey: 'the-secret-of-the-owner' }
const GUEST = { accessKeyId: 'inframe:guest', secretAccessKey: 'the-secret-of-the-guest' }

/** In ms. A start takes a few seconds, or half a minute on a busy machine. */
const START_MS = 120_000

/** Starts an independent implementation of S3 for tests: Debian's OpenStack Swift with its s3api, which checks
 *  signatures, their expiry, and permissions. It has one device, uses free ports, and keeps its files in a temporary
 *  folder. The settings that its servers share are in the package's own /etc/swift/swift.conf.
 *  @throws Error with the logs of the servers when one of them does not start. */
export async function startSwift(): Promise<S3Server & { stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'inframe-swift-'))
  const running: ChildProcess[] = []
  const stop = async () => {
    await Promise.all(running.map(end))
    await rm(folder, { recursive: true })
  }
  try {
    const endpoint = await startServers(folder, running)
    return { endpoint, owner: OWNER, guest: GUEST, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startServers(folder: string, running: ChildProcess[]): Promise<string> {
  const ports = {
    account: await freePort(),
    container: await freePort(),
    object: await freePort(),
    proxy: await freePort(),
    memcached: await freePort(),
  }
  await mkdir(join(folder, 'devices/d1'), { recursive: true })
  await makeRings(folder, ports)
  const start = async (name: string, program: string, args: string[]) => {
    running.push(await spawnLogged(program, args, join(folder, `${name}.log`)))
  }
  await start('memcached', '/usr/bin/memcached', [
    '--listen=127.0.0.1',
    `--port=${ports.memcached}`,
    `--user=${userInfo().username}`,
  ])
  const configs = {
    account: storeConfig('account'),
    container: storeConfig('container'),
    object: storeConfig('object'),
    proxy: proxyConfig(ports.memcached),
  }
  for (const name of ['account', 'container', 'object', 'proxy'] as const) {
    const path = join(folder, `${name}.conf`)
    await writeFile(path, serverConfig(folder, ports[name]) + configs[name])
    await start(name, `/usr/bin/swift-${name}-server`, [path])
  }
  for (const port of [ports.account, ports.container, ports.object, ports.proxy])
    await waitUntil(
      'Swift to start',
      async () => {
        if (running.some(hasEnded)) throw new Error(`Swift did not start.\n${await logsIn(folder)}`)
        return await isHealthy(port)
      },
      START_MS,
    )
  return `http://127.0.0.1:${ports.proxy}`
}

async function spawnLogged(program: string, args: string[], log: string): Promise<ChildProcess> {
  const output = await open(log, 'w')
  try {
    // Ends when the test process is killed.
    const child = spawn('setpriv', ['--pdeathsig=KILL', program, ...args], {
      stdio: ['ignore', output.fd, output.fd],
    })
    await once(child, 'spawn')
    return child
  } finally {
    await output.close()
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

/** Kills a server, since it has nothing to save. */
async function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

async function isHealthy(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/healthcheck`)).ok
  } catch {
    return false
  }
}

async function logsIn(folder: string): Promise<string> {
  const names = ['memcached', 'account', 'container', 'object', 'proxy']
  const logs = names.map(async (name) => {
    const path = join(folder, `${name}.log`)
    return existsSync(path) ? `${name}: ${await readFile(path, 'utf8')}` : ''
  })
  return (await Promise.all(logs)).join('')
}

/** Makes the rings, by which the proxy finds the stores. The nine calls of swift-ring-builder that would otherwise be
 *  needed would take most of the start. */
const MAKE_RINGS = `
import sys
from swift.common.ring import RingBuilder
for store, port in zip(sys.argv[2::2], sys.argv[3::2]):
    ring = RingBuilder(4, 1, 1)
    ring.add_dev(dict(id=0, region=1, zone=1, weight=1, ip='127.0.0.1', port=int(port), device='d1'))
    ring.rebalance()
    ring.get_ring().save(f'{sys.argv[1]}/{store}.ring.gz')
`

async function makeRings(folder: string, { account, container, object }: Record<string, number>) {
  const rings = Object.entries({ account, container, object }).flatMap(([store, port]) => [store, `${port}`])
  await promisify(execFile)('/usr/bin/python3', ['-c', MAKE_RINGS, folder, ...rings])
}

const serverConfig = (folder: string, port: number) => `
[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
# No child processes.
workers = 0
user = ${userInfo().username}
swift_dir = ${folder}
devices = ${folder}/devices
mount_check = false
fallocate_reserve = 0
log_level = ERROR
`

const filters = (names: string[]) =>
  names.map((name) => `[filter:${name}]\nuse = egg:swift#${name}\n`).join('')

const storeConfig = (store: string) => `
[pipeline:main]
pipeline = healthcheck ${store}-server
[app:${store}-server]
use = egg:swift#${store}
${filters(['healthcheck'])}
`

const proxyConfig = (memcachedPort: number) => `
[pipeline:main]
pipeline = catch_errors gatekeeper healthcheck cache listing_formats bulk s3api tempauth copy slo symlink proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
[filter:tempauth]
use = egg:swift#tempauth
user_inframe_owner = ${OWNER.secretAccessKey} .admin
user_inframe_guest = ${GUEST.secretAccessKey}
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:${memcachedPort}
${filters(['catch_errors', 'gatekeeper', 'healthcheck', 'listing_formats', 'bulk', 'copy', 'slo', 'symlink'])}
`

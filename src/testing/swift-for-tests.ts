import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { freePort } from './process.ts'
import type { S3Server } from './s3-stand-in.ts'
import { waitUntil } from './wait.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The Swift of this test run, only in the tests on S3 of `npm run test:slow`. */
    swift?: S3Server
  }
}

const SERVERS = ['account', 'container', 'object', 'proxy'] as const
const MEMCACHED = '/usr/bin/memcached'
const programOf = (server: string) => `/usr/bin/swift-${server}-server`
const OWNER = { accessKeyId: 'inframe:owner', secretAccessKey: 'the-secret-of-the-owner' }
const GUEST = { accessKeyId: 'inframe:guest', secretAccessKey: 'the-secret-of-the-guest' }

/** Vitest's global setup for the tests on S3. It starts an independent implementation of S3: Debian's OpenStack Swift with
 *  its s3api, which checks signatures, their expiry, and permissions. It has one device, uses free ports, and keeps its
 *  files in a temporary folder. The settings that its servers share are in the package's own /etc/swift/swift.conf. */
export default async function startSwift(project: TestProject): Promise<() => Promise<void>> {
  if (![MEMCACHED, ...SERVERS.map(programOf)].every(existsSync)) install()
  const folder = await mkdtemp(join(tmpdir(), 'inframe-swift-'))
  const running: ChildProcess[] = []
  const stop = async () => {
    // They have nothing to save.
    for (const child of running) child.kill('SIGKILL')
    await Promise.all(running.map((child) => child.exitCode ?? child.signalCode ?? once(child, 'exit')))
    await rm(folder, { recursive: true })
  }
  try {
    project.provide('swift', { endpoint: await startServers(folder, running), owner: OWNER, guest: GUEST })
    return stop
  } catch (error) {
    await stop()
    throw error
  }
}

/** As root, on Debian. */
function install(): void {
  const packages = SERVERS.map((server) => `swift-${server}`).join(' ')
  const command = `apt-get install --quiet --yes --no-install-recommends ${packages} memcached`
  console.log(`The tests on S3 need OpenStack Swift. Installing it: ${command}`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const { status } = spawnSync('sh', ['-c', `apt-get update --quiet && ${command}`], {
    stdio: 'inherit',
    env,
  })
  if (status !== 0)
    throw new Error(`OpenStack Swift could not be installed. As root, on Debian, run: ${command}`)
}

async function startServers(folder: string, running: ChildProcess[]): Promise<string> {
  const ports: Record<string, number> = {}
  for (const name of [...SERVERS, 'memcached']) ports[name] = await freePort()
  await mkdir(join(folder, 'devices/d1'), { recursive: true })
  await makeRings(folder, ports)
  // They end when the test process is killed.
  const start = (program: string, ...args: string[]) =>
    running.push(spawn('setpriv', ['--pdeathsig=KILL', program, ...args], { stdio: 'inherit' }))
  start(MEMCACHED, '--listen=127.0.0.1', `--port=${ports.memcached}`, `--user=${userInfo().username}`)
  for (const server of SERVERS) {
    const path = join(folder, `${server}.conf`)
    const config = server === 'proxy' ? proxyConfig(ports.memcached!) : storeConfig(server)
    await writeFile(path, serverConfig(folder, ports[server]!) + config)
    start(programOf(server), path)
  }
  const isHealthy = async (server: string) =>
    (await fetch(`http://127.0.0.1:${ports[server]}/healthcheck`).catch(() => undefined))?.ok
  // A few seconds, or half a minute on a busy machine.
  for (const server of SERVERS) await waitUntil(`Swift's ${server} server`, () => isHealthy(server))
  return `http://127.0.0.1:${ports.proxy}`
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

async function makeRings(folder: string, ports: Record<string, number>): Promise<void> {
  const rings = SERVERS.slice(0, 3).flatMap((store) => [store, `${ports[store]}`])
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

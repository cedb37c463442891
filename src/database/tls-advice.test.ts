import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TLSSocket } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkConnection, createDb } from './client.ts'
import { tlsAdvice } from './tls-advice.ts'

let folder: string
let port: number
let answer: (socket: Socket) => void
const server = createServer((socket) => {
  socket.on('error', () => {})
  socket.once('data', () => answer(socket))
})

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inframe-tls-'))
  const subject = ['-subj', '/CN=db.example.com', '-addext', 'subjectAltName=DNS:db.example.com']
  const files = ['-keyout', join(folder, 'key'), '-out', join(folder, 'cert')]
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject, ...files], {
    stdio: 'ignore',
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
afterAll(async () => {
  server.close()
  await rm(folder, { recursive: true })
})

/** What is said about the fault of a connection with these options. */
async function advice(options: string): Promise<string> {
  const db = createDb({ connectionString: `postgres://a:b@127.0.0.1:${port}/c?${options}` }, () => {}, 1)
  const error = await checkConnection(db).catch((fault: unknown) => fault)
  await db.destroy()
  return tlsAdvice(error)
}

test('a server without TLS', async () => {
  answer = (socket) => socket.end('N')
  expect(await advice('sslmode=verify-full')).toMatch(/ sslmode=disable/)
})

test('certificates of an unknown authority, and of another name', async () => {
  const pair = { key: await readFile(join(folder, 'key')), cert: await readFile(join(folder, 'cert')) }
  answer = (socket) => {
    socket.write('S')
    new TLSSocket(socket, { isServer: true, ...pair }).on('error', () => {})
  }
  expect(await advice('sslmode=verify-full')).toMatch(/ sslmode=verify-full&sslrootcert=/)
  expect(await advice(`sslmode=verify-full&sslrootcert=${folder}/cert`)).toMatch(/ another name /)
})

test('a file that is missing', async () => {
  expect(await advice('sslmode=verify-full&sslrootcert=/no/such/file')).toMatch(/ sslrootcert.* files/)
})

test('a server that wants TLS says so in several ways, and other faults have no advice', () => {
  for (const message of [
    'no pg_hba.conf entry for host "10.0.0.1", user "a", database "b", no encryption',
    'no pg_hba.conf entry for host "10.0.0.1", user "a", database "b", SSL off',
    'SSL required',
    'SSL connection is required. Please specify SSL options and retry.',
    'connection is insecure (try using `sslmode=require`)',
  ])
    expect(tlsAdvice(new Error(message)), message).toMatch(/ add sslmode=verify-full/)
  for (const message of [
    'connect ECONNREFUSED 127.0.0.1:5432',
    'password authentication failed for user "a"',
  ])
    expect(tlsAdvice(new Error(message))).toBe('')
})

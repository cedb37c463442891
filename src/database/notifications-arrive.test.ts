import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../testing/database.ts'
import { notificationsArrive } from './notifications-arrive.ts'

/** Drops the notifications of a server, as a pooler in transaction mode does. Each message has a letter, and its length in
 *  four bytes. */
function withoutNotifications() {
  let rest = Buffer.alloc(0)
  return (bytes: Buffer): Buffer => {
    rest = Buffer.concat([rest, bytes])
    const passed: Buffer[] = []
    while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
      const end = 1 + rest.readUInt32BE(1)
      if (String.fromCharCode(rest[0]!) !== 'A') passed.push(rest.subarray(0, end))
      rest = rest.subarray(end)
    }
    return Buffer.concat(passed)
  }
}

test('a pooler that drops notifications is noticed', async () => {
  const { address, drop } = await createTestDatabase()
  onTestFinished(drop)
  expect(await notificationsArrive(address)).toBe(true)

  const pooler = createServer((client) => {
    const server = connect(`${address.host}/.s.PGSQL.${address.port}`)
    const keep = withoutNotifications()
    server.on('data', (bytes) => client.write(keep(bytes as Buffer)))
    client.pipe(server)
    client.on('close', () => server.destroy())
  }).listen(0, '127.0.0.1')
  await once(pooler, 'listening')
  onTestFinished(() => void pooler.close())
  const { port } = pooler.address() as AddressInfo
  expect(await notificationsArrive({ ...address, host: '127.0.0.1', port }, 300)).toBe(false)
})

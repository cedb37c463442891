import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startTestApp } from '../testing/app.ts'
import { sendRaw } from '../testing/raw-call.ts'

/** A plain TCP relay on this machine, such as a tunnel. The service sees its visitors as calls from this machine.
 *  @returns its address */
async function startRelay(target: string): Promise<string> {
  const { port } = new URL(target)
  const relay = createServer((visitor) => {
    const service = connect(Number(port), '127.0.0.1')
    visitor.pipe(service).pipe(visitor)
    for (const socket of [visitor, service]) socket.on('error', () => socket.destroy())
  }).listen(0, '127.0.0.1')
  await once(relay, 'listening')
  onTestFinished(() => void relay.close())
  return `http://127.0.0.1:${(relay.address() as AddressInfo).port}`
}

test.for<Record<string, string>>([
  {},
  { ADMIN_TOKEN: 'the token of the maintainer' },
  { PUBLIC_URL: 'http://localhost:3000' },
  { HOST: '0.0.0.0' },
])('a stranger behind a relay is no maintainer, whatever the Host header says, with %j', async (env) => {
  const service = await startTestApp({ work: false, env })
  onTestFinished(() => service.close())
  const relay = await startRelay(service.url)
  for (const host of ['localhost', 'localhost:3000', '127.0.0.1', '[::1]:3000']) {
    const get = (path: string) => sendRaw(relay, { method: 'GET', path, headers: { host } })
    for (const path of ['/metrics', '/api/gmail/auth-url', '/api/auth/gmail'])
      expect((await get(path)).status).toBe(401)
    expect((await get('/readyz')).text).toBe('{"ready":true}')
  }
})

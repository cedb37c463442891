import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startTestApp, type TestApp } from '../src/testing/app.ts'
import { type FaultProxy, startFaultProxy } from '../src/testing/fault-proxy.ts'
import { refusedSize } from './doctor-address.ts'

let service: TestApp
let proxy: FaultProxy
beforeAll(async () => {
  service = await startTestApp({ work: false })
  proxy = await startFaultProxy(service.url)
})
afterAll(async () => {
  await proxy?.close()
  await service?.close()
})

const above = (megabytes: number) => (request: { headers: { 'content-length'?: string } }) =>
  Number(request.headers['content-length']) > megabytes * 1e6

test('both sizes reach a service that nothing stands before', async () => {
  expect(await refusedSize(service.url)).toBeUndefined()
  proxy.fault = () => undefined
  expect(await refusedSize(proxy.url)).toBeUndefined()
})

test.each([
  [1, '16 MB (answered 413)'],
  [20, '80 MB (answered 413)'],
])('something in front that takes %i MB is named with the size that it refuses', async (limit, named) => {
  const isAbove = above(limit)
  proxy.fault = (request) => (isAbove(request) ? { status: 413, body: '<html>' } : undefined)
  expect(await refusedSize(proxy.url)).toBe(named)
})

test('something in front that breaks the connection is named, too', async () => {
  const breaking = createServer((socket) => socket.on('data', () => socket.resetAndDestroy()))
  breaking.listen(0, '127.0.0.1')
  await once(breaking, 'listening')
  onTestFinished(() => void breaking.close())
  const { port } = breaking.address() as AddressInfo
  expect(await refusedSize(`http://127.0.0.1:${port}`)).toMatch(/^16 MB \([A-Z_]+\)$/)
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../src/testing/app.ts'
import { createClient } from '../src/testing/client.ts'
import { databaseUrl } from '../src/testing/database.ts'
import { setupLinkCommand } from './setup-link.ts'

const SECRET_KEY = 'a secret key that is long enough for it'

let service: TestApp
let env: Record<string, string>
beforeAll(async () => {
  service = await startTestApp({ work: false, env: { SECRET_KEY } })
  const { dataDir, database } = service
  env = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl(database.address), SECRET_KEY, PORT: '3210' }
})
afterAll(() => service?.close())

test('npm run setup-link makes a link that the running service accepts', async () => {
  let link = ''
  await setupLinkCommand(env, (text) => {
    link = text
  })
  const [, token] = /^http:\/\/localhost:3210\/gmail-oauth#setup=([\w-]{32})$/.exec(link)!
  const client = createClient(service.url)
  expect((await client.post('/trpc/mailSetup.openSetupLink', { token })).status).toBe(200)
})

test('npm run setup-link says when ADMIN_TOKEN is used, or needed, instead', async () => {
  const withToken = { ...env, ADMIN_TOKEN: 'the token of the maintainer' }
  await expect(setupLinkCommand(withToken, () => {})).rejects.toThrow('ADMIN_TOKEN is set')
  await expect(setupLinkCommand({ ...env, HOST: '0.0.0.0' }, () => {})).rejects.toThrow('Set ADMIN_TOKEN')
})

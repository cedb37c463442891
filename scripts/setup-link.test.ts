import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../src/testing/client.ts'
import { createDataFolder, type DataFolder } from '../src/testing/data-folder.ts'
import { type ServiceProcess, spawnService, startService } from '../src/testing/process.ts'
import { setupLinkCommand } from './setup-link-command.ts'

describe('npm run setup-link', () => {
  let folder: DataFolder
  let service: ServiceProcess
  beforeAll(async () => {
    folder = await createDataFolder()
    service = await startService({ DATA_DIR: folder.path, PORT: '0', FACE_WORKERS: '1' })
  }, 60_000)
  afterAll(async () => {
    service?.child.kill('SIGTERM')
    await service?.ended
    await folder?.remove()
  })

  async function setupLink(env: Record<string, string> = {}) {
    const command: [string, string] = [process.execPath, join(import.meta.dirname, 'setup-link.ts')]
    const { ended, output } = spawnService({ DATA_DIR: folder.path, PORT: '3210', ...env }, command)
    return { code: await ended, output: output() }
  }

  test('prints a link that the running service accepts, like the one that it printed itself', async () => {
    const { code, output } = await setupLink()
    expect(output).toMatch(/^http:\/\/localhost:3210\/gmail-oauth#setup=[\w-]{32}\n?$/)
    expect(code).toBe(0)
    for (const line of [output, service.lines[1]!]) {
      const token = /#setup=([\w-]+)/.exec(line)![1]
      const client = createClient(service.url)
      expect((await client.get('/metrics')).status).toBe(401)
      expect((await client.post('/trpc/mailSetup.openSetupLink', { token })).status).toBe(200)
      expect((await client.get('/metrics')).status).toBe(200)
    }
  })

  test('says when ADMIN_TOKEN is used instead', async () => {
    expect(await setupLink({ ADMIN_TOKEN: 'the token of the maintainer' })).toEqual({
      code: 1,
      output: expect.stringContaining('ADMIN_TOKEN is set, so there are no set-up links.'),
    })
    await expect(setupLinkCommand({ DATA_DIR: folder.path, HOST: '0.0.0.0' })).rejects.toThrow(
      'Set ADMIN_TOKEN and restart Inframe.',
    )
  })
})

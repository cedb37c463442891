import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { inflate } from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'

const PACKED = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '../bin')
const CACHE = join(import.meta.dirname, '../../node_modules/.cache')
/** The browser, its fonts, and the libraries that are missing on a minimal machine. */
const PARTS = ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br']

/** Launches a headless Chromium from the project's packages: nothing has to be installed. The caller closes it. */
export async function launchBrowser(): Promise<Browser> {
  const folder = await unpackedBrowser()
  return chromium.launch({
    executablePath: join(folder, 'chromium'),
    // The package's own arguments switch web security off. That would hide faults.
    args: ['--no-sandbox'],
    env: {
      ...definedEnvironment(),
      LD_LIBRARY_PATH: join(folder, 'al2023/lib'),
      // With no font found, a file input aborts the browser.
      FONTCONFIG_FILE: join(folder, 'fonts.conf'),
    },
  })
}

let shared: Promise<Browser> | undefined

/** The browser of all tests in this process. It ends with the process. */
export async function sharedBrowser(): Promise<Browser> {
  shared ??= launchBrowser()
  const browser = await shared
  if (browser.isConnected()) return browser
  shared = undefined
  return await sharedBrowser()
}

/** Unpacks the browser once for each version of its package. Several processes may do so at once. */
async function unpackedBrowser(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(PACKED, '../package.json'), 'utf8'))
  const folder = join(CACHE, `chromium-${version}`)
  // This file is written last: without it, the folder is not complete.
  if (await readFile(join(folder, 'fonts.conf')).catch(() => null)) return folder

  await mkdir(CACHE, { recursive: true })
  const draft = await mkdtemp(`${folder}-`)
  try {
    await unpackTo(draft)
    await writeFile(join(draft, 'fonts.conf'), fontsConfig(folder))
    await rename(draft, folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    })
    return folder
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

async function unpackTo(folder: string): Promise<void> {
  const before = process.env.TMPDIR
  // The package unpacks into the temporary folder that is set when it is called, and reuses what is there.
  process.env.TMPDIR = folder
  const unpacking = PARTS.map((part) => inflate(join(PACKED, part)))
  if (before === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = before
  await Promise.all(unpacking)
}

function fontsConfig(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${folder}/fonts/fonts</dir><cachedir>${folder}/fonts/cache</cachedir></fontconfig>
`
}

function definedEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What `npm run build` writes for the server beside what browsers load. */
export interface DrawnPages {
  /** HTML of the pages that are the same for everybody, by path; `404` is the one for unknown addresses. */
  pages: Record<string, string>
  /** HTML of what stands around every other page. */
  frame: string
  /** For each source file that the router loads on demand: the addresses of the scripts it is made of. */
  scripts: Record<string, string[]>
  /** Path of the picture beside shared links. */
  socialPicture: string
}

export interface WebBuild extends DrawnPages {
  /** index.html, in which `<!--head-->` and `<!--page-->` are to be replaced. */
  template: string
}

/** A name that the static files leave out. */
export const DRAWN_PAGES = '.pages.json'

/** @returns null where the web app has not been built. */
export async function readWebBuild(folder: string): Promise<WebBuild | null> {
  const drawn = await readFile(join(folder, DRAWN_PAGES), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return null
  })
  if (drawn === null) return null
  return { template: await readFile(join(folder, 'index.html'), 'utf8'), ...JSON.parse(drawn) }
}

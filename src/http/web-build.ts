import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What `npm run build` writes for the server, in addition to the files for browsers. */
export interface PrerenderedPages {
  /** HTML of the pages that are the same for everybody, by path; `404` is the page for unknown addresses. */
  pages: Record<string, string>
  /** HTML of the frame around every other page. */
  frame: string
  /** For each source file that the router loads on demand: the addresses of its scripts. */
  scripts: Record<string, string[]>
  /** Path of the picture for shared links. */
  socialPicture: string
}

export interface WebBuild extends PrerenderedPages {
  /** index.html, with the placeholders `<!--head-->` and `<!--page-->`. */
  template: string
}

/** The name of the file; it begins with a dot, so that the server does not serve it. */
export const PRERENDERED_PAGES = '.pages.json'

/** Reads the build of the web app. @returns null when it has not been built. */
export async function readWebBuild(folder: string): Promise<WebBuild | null> {
  const prerendered = await readFile(join(folder, PRERENDERED_PAGES), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      return null
    },
  )
  if (prerendered === null) return null
  return { template: await readFile(join(folder, 'index.html'), 'utf8'), ...JSON.parse(prerendered) }
}

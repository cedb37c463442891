import type { Page } from 'playwright-core'
import type { ZipOutput } from '../../src/contract/zips.ts'
import type { Visitor } from './visitor.ts'

/** What a phone's share sheet does with the photos: it takes them, the visitor closes it, it never answers, or the browser
 *  does not open it, either at all or because the photo came long after the tap. */
export type Sheet = 'takes' | 'closes' | 'hangs' | 'refuses' | 'is too late'

/** Replaces the share sheet. The page's `shared` are the names of the files that each sheet was given, and
 *  `lastShared` the files of the last one.
 *  @param sheets what each sheet does; the last one does it again and again */
export async function replaceShareSheet({ context }: Visitor, sheets: Sheet[]): Promise<void> {
  await context.addInitScript((all) => {
    const shared: string[][] = []
    Object.assign(window, { shared })
    // A busy machine may load the photos only after the browser has forgotten the tap.
    Object.defineProperty(navigator, 'userActivation', { value: { isActive: true } })
    Object.assign(navigator, {
      canShare: () => true,
      share: ({ files }: { files: File[] }) => {
        const sheet = all[Math.min(shared.length, all.length - 1)]
        shared.push(files.map(({ name }) => name))
        Object.assign(window, { lastShared: files })
        if (sheet === 'hangs') return new Promise(() => {})
        if (sheet === 'closes') return Promise.reject(new DOMException('closed', 'AbortError'))
        if (sheet === 'refuses') return Promise.reject(new DOMException('no', 'DataError'))
        if (sheet === 'is too late') return Promise.reject(new DOMException('late', 'NotAllowedError'))
        return Promise.resolve()
      },
    })
  }, sheets)
}

/** Answers the calls for zips with this many parts. Nothing can be downloaded from them.
 *  @returns the inputs of the calls */
export async function answerZips(
  page: Page,
  count: number,
): Promise<{ photos: string[]; partBytes: number }[]> {
  const asked: { photos: string[]; partBytes: number }[] = []
  await page.route('**/trpc/zips.create', (route) => {
    const input = route.request().postDataJSON()
    asked.push(input)
    const parts = Array.from({ length: count }, (_, index) => ({
      url: `${new URL(page.url()).origin}/zips/${'A'.repeat(43)}`,
      filename: `party-${index + 1}-of-${count}.zip`,
      bytes: 498_123_456 - index * 40_000_000,
      photos: Math.ceil(input.photos.length / count),
    }))
    const photos = input.photos.length
    const data: ZipOutput = { photosReady: photos, photosTotal: photos, photosLeftOut: 0, parts }
    return route.fulfill({ json: { result: { data } } })
  })
  return asked
}

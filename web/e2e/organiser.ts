import type { Page, Route } from 'playwright-core'
import type { Progress } from '../../src/contract/albums/albums.ts'
import { UPLOAD_REDIRECT_DELAY_MS } from '../../src/contract/limits.ts'
import { installClock, type PageClock, passTime } from './page-clock.ts'
import type { OwnedAlbum, Site } from './site.ts'
import type { Visit } from './site-test.ts'
import { organiserOf, type Visitor, type VisitorOptions } from './visitor.ts'

/** An organiser with an album, at /bulk-upload. */
export interface OrganiserAtWork extends Visitor {
  album: OwnedAlbum
  clock: PageClock
  /** As the file dialog gives them. */
  choose(files: Parameters<Page['setInputFiles']>[1]): Promise<void>
  chooseFolder(path: string): Promise<void>
  upload(): Promise<void>
  /** The album's progress, from the service. */
  progress(): Promise<Progress>
}

export const UPLOADS = '**/upload-photos'

export async function organiserAtWork(
  visit: Visit,
  site: Site,
  options: VisitorOptions & { albumName?: string } = {},
): Promise<OrganiserAtWork> {
  const album = await site.createAlbum(options.albumName ?? 'Garden Party')
  const visitor = await visit(options)
  const { page } = visitor
  const clock = await installClock(page)
  await visitor.signInAs(album.owner)
  await visitor.becomeOrganiser(organiserOf(album))
  await page.goto('/bulk-upload')
  return {
    ...visitor,
    album,
    clock,
    choose: (files) => page.setInputFiles('input[type=file]:not([webkitdirectory])', files),
    chooseFolder: (path) => page.setInputFiles('input[webkitdirectory]', path),
    upload: () => page.getByRole('button', { name: /^(Upload |Continue$)/ }).click(),
    async progress() {
      const { body } = await album.owner.get(`/api/albums/${album.ownerKey}/progress`)
      return body
    },
  }
}

/** Waits until an upload has led to /upload-success, without the two seconds for which the page shows its result. */
export async function seesSuccessPage(page: Page): Promise<void> {
  const there = page.waitForURL('**/upload-success')
  await Promise.race([there, page.getByText('Taking you to the next step...').waitFor()])
  await passTime(page, UPLOAD_REDIRECT_DELAY_MS)
  await there
}

/** What happens to the second request of an upload. */
export async function atSecondUpload(page: Page, fault: (route: Route) => Promise<void>): Promise<void> {
  let order = 0
  await page.route(UPLOADS, (route) => (++order === 2 ? fault(route) : route.continue()))
}

import type { Page, Route } from 'playwright-core'
import type { Progress } from '../../src/contract/albums.ts'
import type { OwnedAlbum, Site } from './site.ts'
import type { Visit } from './site-test.ts'
import { recordToasts } from './toasts.ts'
import type { Visitor, VisitorOptions } from './visitor.ts'

/** An organiser with an album, at /bulk-upload. */
export interface OrganiserAtWork extends Visitor {
  album: OwnedAlbum
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
  await recordToasts(page)
  await visitor.signInAs(album.owner)
  await visitor.becomeOrganiser({
    userEmail: 'owner@example.com',
    eventName: album.displayName,
    userAlbumId: album.ownerKey,
    userAlbumSlug: album.albumName,
  })
  await page.goto('/bulk-upload')
  return {
    ...visitor,
    album,
    choose: (files) => page.setInputFiles('input[type=file]:not([webkitdirectory])', files),
    chooseFolder: (path) => page.setInputFiles('input[webkitdirectory]', path),
    upload: () => page.getByRole('button', { name: /^Upload / }).click(),
    async progress() {
      const { body } = await album.owner.get(`/api/albums/${album.ownerKey}/progress`)
      return body
    },
  }
}

/** Answers the requests that `which` picks by their order with `fault`, and lets the others pass. */
export function faultAt(which: (order: number) => boolean, fault: (route: Route) => Promise<void>) {
  let order = 0
  return (route: Route) => (which(++order) ? fault(route) : route.continue())
}

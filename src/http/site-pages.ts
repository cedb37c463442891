import {
  APP_SHELL,
  NOT_FOUND_PAGE,
  PAGES,
  type PageEntry,
  type RoutedPage,
  SITE_NAME,
  tabTitle,
} from '../contract/pages.ts'
import { pageHeads } from '../texts/english/common.ts'
import { pageTitles } from '../texts/english/page-titles.ts'

const TITLES: Record<string, string> = {
  landing: SITE_NAME,
  ...pageTitles,
} satisfies Record<keyof typeof PAGES, string>

/** A page of the web app, as the server sends it. */
export interface SitePage {
  /** As the tab shows it. */
  title: string
  description: string
  /** Search engines must leave it out. A header says so, because a mark in the document would stay when the
   *  visitor goes on to another page. */
  hidden: boolean
}

function sitePage({ hidden = false }: PageEntry, title: string): SitePage {
  return { title: tabTitle(title), description: pageHeads.description, hidden }
}

/** The pages by their path, as Fastify writes it. The server answers any other path with its 404 page. */
export const SITE_PAGES: [path: string, page: SitePage][] = Object.entries(PAGES)
  // Its address is a photo's, which photo-files.ts answers.
  .filter(([, page]) => page !== PAGES.photoTrouble)
  .flatMap(([name, page]: [string, RoutedPage]) =>
    serverPaths(page.path).map((path): [string, SitePage] => [path, sitePage(page, TITLES[name]!)]),
  )
  .concat([[APP_SHELL, { title: SITE_NAME, description: pageHeads.description, hidden: true }]])

export const MISSING_PAGE = sitePage(NOT_FOUND_PAGE, pageTitles.notFound)

/** At the address of a photo that cannot be shown. */
export const TROUBLE_PAGE = sitePage(PAGES.photoTrouble, pageTitles.photoTrouble)

/** What a messaging app shows of an album's link: no more than anybody may ask about an album (auth-status). */
export function albumPage(displayName: string, hasEntered: boolean) {
  return {
    ...sitePage(PAGES.album, displayName),
    hasEntered,
    invitation: pageHeads.invitation(displayName),
    description: pageHeads.invitationText,
  }
}

/** '/a/$b/{-$c}' becomes '/a/:b' and '/a/:b/:c'. */
function serverPaths(path: string): string[] {
  const [shortest, optional] = path.replace(/(?<!-)\$(\w+)/g, ':$1').split(/\/\{-\$(\w+)\}$/)
  return optional ? [shortest!, `${shortest}/:${optional}`] : [shortest!]
}

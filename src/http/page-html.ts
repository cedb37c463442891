import type { AlbumCreation } from '../albums/invitations.ts'
import { SITE_NAME } from '../contract/pages.ts'
import { escapeHtml } from '../escape-html.ts'
import { pageHeads } from '../texts/english/common.ts'
import type { AlbumQuota } from '../uploads/quota.ts'
import type { SitePage } from './site-pages.ts'

/** The size of the picture for shared links, in pixels. */
const PICTURE = { width: 1200, height: 630 }

export interface PageRequest {
  page: SitePage & { invitation?: string; hasEntered?: boolean }
  /** The beginning of the page's address, without a slash at its end. */
  origin: string
  /** As in the address, without the query. */
  path: string
}

export interface Installation {
  photoLibraryUrl: string | undefined
  analyticsMeasurementId: string | undefined
  albumCreation: AlbumCreation
  albumQuota: AlbumQuota
}

/** The HTML of a page, as the browser gets it: index.html with a head of its own. */
export function renderPage(template: string, installation: Installation, request: PageRequest): string {
  return template.replace('<!--head-->', () => renderHead(installation, request))
}

function renderHead(
  { photoLibraryUrl, analyticsMeasurementId, albumCreation, albumQuota }: Installation,
  { page, origin, path }: PageRequest,
): string {
  return html`<title>${page.title}</title>
    <meta name="description" content="${page.description}" />
    <meta property="og:site_name" content="${SITE_NAME}" />
    <meta property="og:type" content="website" />
    <meta property="og:title" content="${page.invitation ?? page.title}" />
    <meta property="og:description" content="${page.description}" />
    <meta property="og:url" content="${origin}${path}" />
    <meta property="og:image" content="${origin}/social.png" />
    <meta property="og:image:type" content="image/png" />
    <meta property="og:image:width" content="${PICTURE.width}" />
    <meta property="og:image:height" content="${PICTURE.height}" />
    <meta property="og:image:alt" content="${pageHeads.picture}" />
    <meta name="twitter:card" content="summary_large_image" />
    ${photoLibraryUrl && html`<meta name="inframe-photo-library" content="${photoLibraryUrl}" />`}
    ${analyticsMeasurementId && html`<meta name="inframe-analytics-id" content="${analyticsMeasurementId}" />`}
    ${albumCreation !== 'open' && html`<meta name="inframe-album-creation" content="${albumCreation}" />`}
    ${page.hasEntered && html`<meta name="inframe-entered" content="yes" />`}
    <meta name="inframe-album-holds" content="${albumQuota.photos} ${albumQuota.bytes / 1e9}" />`.markup
}

/** A piece of HTML that can safely be part of a page. */
interface Markup {
  markup: string
}

type Value = string | number | false | undefined | Markup | Markup[]

/** A template of HTML. It escapes every text, for elements and for quoted attributes. False and undefined become
 *  nothing. */
function html(parts: TemplateStringsArray, ...values: Value[]): Markup {
  return { markup: parts.reduce((text, part, index) => text + insert(values[index - 1]) + part) }
}

function insert(value: Value): string {
  if (value === undefined || value === false) return ''
  if (Array.isArray(value)) return value.map((one) => one.markup).join('')
  return typeof value === 'object' ? value.markup : escapeHtml(String(value))
}

/** The oldest browsers in which all pages work, as Vite's `build.target` names them. Older ones have no cascade layers in
 *  styles, without which a page has no style at all. web/index.html has a sentence for them. */
export const OLDEST_BROWSERS = ['safari15.4', 'chrome99', 'firefox97']

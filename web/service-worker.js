/// <reference lib="webworker" />
/** Opens the guests' pages where there is no network, so that a reload in a dead spot does not end in the browser's own
 *  error page. It keeps the code of these pages and an empty page to put it into. It never keeps photos, answers of the
 *  service, or a page with an album's name.
 *
 *  The build writes a line before this file: `const APP = {version, shell, files}`. */
const CACHE = `app ${APP.version}`

/** Ms that the network may take for a page. Then the empty page is used, which loads the same page. */
const PATIENCE = 4_000

/** Addresses that are not pages of the app. */
const OTHER_ADDRESSES = /^\/(api|trpc|photos|zips|assets|metrics|healthz|readyz)\b/

self.addEventListener('install', (event) => {
  event.waitUntil(keepApp())
})

self.addEventListener('activate', (event) => {
  event.waitUntil(forgetOtherVersions())
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (request.mode === 'navigate' && !OTHER_ADDRESSES.test(pathname)) event.respondWith(page(request))
  else if (APP.files.includes(pathname)) event.respondWith(file(request))
})

async function keepApp() {
  const cache = await caches.open(CACHE)
  await cache.addAll([APP.shell, ...APP.files])
  await self.skipWaiting()
}

async function forgetOtherVersions() {
  const names = await caches.keys()
  await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)))
  await self.clients.claim()
}

/** The page from the network, or after a while the empty page. */
async function page(request) {
  const answer = fetch(request)
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE))
  try {
    return (await Promise.race([answer, late])) ?? (await kept(APP.shell)) ?? (await answer)
  } catch {
    return (await kept(APP.shell)) ?? Response.error()
  }
}

async function file(request) {
  return (await kept(request)) ?? fetch(request)
}

/** Compressed and other copies of a file are equal here. */
function kept(request) {
  return caches.match(request, { ignoreVary: true })
}

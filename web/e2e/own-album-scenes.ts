import type { Organiser } from '../lib/saved-values.ts'
import { type Scene, scene } from './scene.ts'
import type { Stage } from './stage.ts'
import { sees, type Visitor } from './visitor.ts'

const NAMES = [
  'Mira & Jonas, 20 June',
  'Marathon 2025',
  'حفلة الصيف',
  `A very long name ${'of a party '.repeat(6)}`,
]
const ALBUMS: Organiser[] = NAMES.map((eventName, index) => ({
  userEmail: 'mira@example.com',
  eventName,
  userAlbumId: `Fb3xampleOwnerKeyDoNotShareIt0z${index}`,
  userAlbumSlug: `album-${index}`,
}))

async function withAlbums({ page }: Visitor, path: string): Promise<void> {
  await page.goto('/healthz')
  await page.evaluate((albums) => localStorage.setItem('ownAlbums', JSON.stringify(albums)), ALBUMS)
  await page.goto(path)
  await sees(page, 'Your albums')
}

async function openUpload({ page, becomeOrganiser }: Visitor, { fresh }: Stage): Promise<void> {
  await becomeOrganiser({
    userEmail: 'mira@exmaple.com',
    eventName: fresh.displayName,
    userAlbumId: fresh.ownerKey,
    userAlbumSlug: fresh.albumName,
  })
  await page.goto('/bulk-upload')
}

/** The organiser's albums in one browser. */
export const OWN_ALBUMS: Scene[] = [
  scene('landing-your-albums', (visitor) => withAlbums(visitor, '/')),
  scene('get-started-log-out-of-all', async (visitor) => {
    await withAlbums(visitor, '/get-started')
    await visitor.page.getByRole('button', { name: 'Log out of all albums' }).click()
    await visitor.page.getByRole('dialog').waitFor()
  }),
  scene('bulk-upload-address', async (visitor, stage) => {
    await openUpload(visitor, stage)
    await visitor.page.getByRole('button', { name: 'Change the address' }).click()
    await visitor.page.getByLabel('New email address').waitFor()
  }),
  scene('upload-success-private-link', async (visitor) => {
    const { page } = visitor
    await withAlbums(visitor, '/get-started')
    const record = { photoCount: 12, email: 'mira@example.com', albumName: NAMES[0], albumSlug: 'album-0' }
    await page.evaluate((saved) => localStorage.setItem('uploadSuccess', saved), JSON.stringify(record))
    await page.goto('/upload-success')
    await sees(page, 'Your private link')
  }),
]

import { expect } from 'vitest'
import { type OrganiserAtWork, organiserAtWork, seesSuccessPage } from './organiser.ts'
import { numbered, photoFolder } from './photo-folder.ts'
import { siteTest } from './site-test.ts'
import { sees, seesToast } from './visitor.ts'

const test = siteTest({ work: false, env: { ALBUM_MAX_PHOTOS: '2' } }).extend(
  'folder',
  { scope: 'file' },
  photoFolder(numbered(4)),
)

const WHY = 'The album is full: it holds at most 2 photos. Please create another album for the others.'
const create = ({ page }: OrganiserAtWork) =>
  page.getByRole('main').getByRole('link', { name: 'Create a new album' })

test('the limit stands where photos are chosen, and a full album says why it takes no more, with a way on', async ({
  visit,
  site,
  folder,
}) => {
  const organiser = await organiserAtWork(visit, site)
  const { page, choose, upload } = organiser
  await sees(page, 'JPEG and PNG, up to 5 MB each. An album holds up to 2 photos, or 500 GB.')
  await choose(folder.paths('1.jpg', '2.jpg', '3.jpg'))
  await upload()
  await seesToast(page, 'Upload completed!', '2 photos uploaded successfully, 1 failed')
  await sees(page, WHY)
  await seesSuccessPage(page)
  await page.getByText(WHY).first().waitFor()
  await create(organiser).waitFor()
  expect(await page.getByRole('link', { name: 'Upload more photos to this album' }).count()).toBe(0)

  await page.goto('/bulk-upload')
  await choose(folder.paths('4.jpg'))
  await upload()
  await seesToast(page, 'Upload failed', 'No photos were uploaded successfully. Please try again.')
  await sees(page, WHY)
  await create(organiser).click()
  await page.waitForURL('**/get-started')
})

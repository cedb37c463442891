import { expect, test } from 'vitest'
import type { Metrics } from '../metrics.ts'
import { domain, newAlbumForEachTest } from '../testing/domain.ts'
import { faceIndexWith } from '../testing/engine-answers.ts'
import { mailbox, mailDeps } from '../testing/mailbox.ts'
import { waitUntil } from '../testing/wait.ts'
import { requestLetter } from './request.ts'

newAlbumForEachTest()

test('a mail server that does not answer for one domain delays no letter to another', async () => {
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const begun: string[] = []
  mailbox.send = async ({ to }) => {
    begun.push(to)
    if (to.endsWith('@slow.example')) await held
  }
  const recipients = Array.from({ length: 25 }, (_, number) => `guest${number}@slow.example`)
  for (const email of [...recipients, 'owner@example.com']) {
    const { id } = await domain.newAlbum()
    await domain.db.transaction().execute(async (trx) => {
      const changes = { email, photos_stored: 1 }
      await trx.updateTable('albums').set(changes).where('id', '=', id).execute()
      await requestLetter(trx, domain, { kind: 'ready', album: { id, email } })
    })
  }
  const faces = faceIndexWith({})
  const metrics = { jobs: { observe: () => {} } } as unknown as Metrics
  await domain.jobs.work({ ...mailDeps(domain), faces, metrics })
  try {
    await waitUntil('the other letter', async () => begun.includes('owner@example.com'))
    expect(begun.filter((to) => to !== 'owner@example.com').length).toBeLessThanOrEqual(3)
  } finally {
    letGo()
  }
  await waitUntil('all letters', async () => begun.length === 26)
})

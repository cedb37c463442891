import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AttackedSite, startAttackedSite } from '../testing/attacked-site.ts'

let site: AttackedSite

beforeAll(async () => {
  site = await startAttackedSite()
})
afterAll(() => site.close())

test('a stranger who asks for the progress again and again does not hold up other visitors', async () => {
  const stranger = site.stranger()
  await site.attack(async () => {
    const { status } = await stranger.get(`/api/albums/${site.album.id}/progress`)
    expect(status).toBe(401)
  })
})

test('the measurement notices a service that repeatedly stops answering', async () => {
  const { child } = site.service
  const attack = site.attack(async () => {
    child.kill('SIGSTOP')
    await pause(2_000)
    child.kill('SIGCONT')
    await pause(500)
  })
  await expect(attack).rejects.toThrow('Other visitors waited too long during the attack')
})

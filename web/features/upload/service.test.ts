import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { photos } from '../../testing/controlled-upload.ts'
import { sendBatchTo } from './service.ts'

/** A request of the browser that gets no answer, unless the test gives it one. */
class HeldRequest {
  static last: HeldRequest
  readonly upload = { onprogress: (_event: { loaded: number }) => {} }
  timeout = -1
  status = 0
  responseText = ''
  readonly statusText = ''
  onload = () => {}
  ontimeout = () => {}
  open() {}
  getResponseHeader = () => null
  send() {
    HeldRequest.last = this
  }
}

beforeEach(() => void vi.stubGlobal('XMLHttpRequest', HeldRequest))
afterEach(() => void vi.unstubAllGlobals())

const FIELDS = { totalIntendedPhotos: 1, batchNumber: 1, totalBatches: 1 }

/** Sends one photo. The request is on its way when this returns. */
async function sending(fields?: typeof FIELDS) {
  const { signal } = new AbortController()
  const send = sendBatchTo((call) => call('album'))
  const answer = send({ photos: photos(1), ...(fields && { fields }) }, { signal, onSent() {} })
  await Promise.resolve()
  return { answer, request: HeldRequest.last }
}

test('the first attempt of a batch ends after 120 seconds without an answer, and its retry has no limit', async () => {
  const { answer, request } = await sending(FIELDS)
  expect(request.timeout).toBe(120_000)
  request.ontimeout()
  await expect(answer).rejects.toThrow('No answer within 120 seconds')
  expect((await sending()).request.timeout).toBe(0)
})

test('a batch whose files were all refused was answered, and has not failed', async () => {
  const { answer, request } = await sending()
  const files = [{ filename: '1.jpg', status: 'refused', message: 'It is damaged' }]
  const body = { message: 'No photo could be used', code: 'BAD_REQUEST', successful: 0, failed: 1, files }
  Object.assign(request, { status: 422, responseText: JSON.stringify(body) })
  request.onload()
  expect(await answer).toMatchObject({ successful: 0, failed: 1, files })
})

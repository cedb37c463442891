import { expect, test } from 'vitest'
import { connectionLost, RequestFailure } from '../../lib/failure.ts'
import { allStored, uploaded, withFakeTimers } from '../../testing/controlled-upload.ts'
import { endOf, whyFailed } from './outcome.ts'

/** What a proxy, or a hotel's network, answers in the service's place. */
const inFront = (foreignStatus: number) => new RequestFailure(`${foreignStatus}: nginx`, 0, { foreignStatus })

withFakeTimers()

test.each([200, 404, 429, 502, 503, 504])(
  'the upload waits while something in front answers %d, and goes on',
  async (status) => {
    const { result, requests, eventLog } = await uploaded(3, (request, attempt) => {
      if (attempt <= 2) throw inFront(status)
      return allStored(request)
    })
    expect(requests.map(({ at }) => at)).toEqual([0, 10_000, 20_000])
    expect(eventLog[0]).toEqual([
      0,
      'waiting',
      { reason: 'busy', seconds: 10, message: expect.stringContaining(`(${status})`) },
    ])
    expect(result).toMatchObject({ successful: 3, failed: 0 })
  },
)

test('an upload ends after ten minutes of such answers, and does not call the album lost', async () => {
  const { result } = await uploaded(3, () => {
    throw inFront(502)
  })
  const { stopped, unsent } = result
  expect(unsent).toHaveLength(3)
  expect(stopped).toMatchObject({ reason: 'busy', albumLost: false })
})

test.each([401, 403, 409, 410])(
  'a %d that is not of the service fails its batch twice, and does not call the album lost',
  async (status) => {
    const { result, requests } = await uploaded(20, (request) => {
      if (request.photos.length > 5) throw inFront(status)
      return allStored(request)
    })
    expect(requests).toHaveLength(3)
    const { stopped, successful, files } = result
    expect([stopped, successful]).toEqual([undefined, 5])
    expect(files.at(-1)?.message).toContain(`(${status})`)
    expect(whyFailed(endOf(result, 0))).toContain(`(${status})`)
  },
)

test('what is too large for something in front goes in halves, and a photo that is too large alone is left out', async () => {
  const { result, requests } = await uploaded(31, (request) => {
    const isTooLarge = request.photos.length > 4 || request.photos.some(({ name }) => name === '7.jpg')
    if (isTooLarge) throw inFront(413)
    return allStored(request)
  })
  expect(requests.map(({ request }) => request.photos.length).slice(0, 4)).toEqual([15, 8, 4, 4])
  const { successful, failed, files, unsent, stopped } = result
  expect([successful, failed, unsent, stopped]).toEqual([30, 1, [], undefined])
  expect(files.filter(({ status }) => status === 'refused').map(({ filename }) => filename)).toEqual([
    '7.jpg',
  ])
})

test('a batch whose connection is ended twice goes in halves', async () => {
  const { result, requests, eventLog } = await uploaded(6, (request) => {
    if (request.photos.length > 2) throw connectionLost()
    return allStored(request)
  })
  expect(requests.map(({ request }) => request.photos.length)).toEqual([6, 6, 3, 2, 2, 2])
  expect(result).toMatchObject({ successful: 6, failed: 0, retriedBatches: 1 })
  expect(eventLog.at(-1)).toEqual([2000, 'retried', 1, 6])
})

import { expect, test } from 'vitest'
import { RequestFailure } from '../../lib/failure.ts'
import { allStored, uploaded, withFakeTimers } from '../../testing/controlled-upload.ts'

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
    expect(requests.map(({ at }) => at)).toEqual([0, 5_000, 10_000])
    expect(eventLog[0]).toEqual([0, 'waiting', { seconds: 5 }])
    expect(result).toMatchObject({ successful: 3, notStored: [] })
  },
)

test('an upload ends after ten minutes of such answers, and does not call the album lost', async () => {
  const { result } = await uploaded(3, () => {
    throw inFront(502)
  })
  expect(result).toMatchObject({ notStored: { length: 3 }, stopped: { reason: 'busy' } })
})

test.each([401, 403, 409, 410, 413])(
  'a %d that is not of the service fails its batch twice, and does not call the album lost',
  async (status) => {
    const { result, requests } = await uploaded(20, (request) => {
      if (request.photos.length > 5) throw inFront(status)
      return allStored(request)
    })
    expect(requests).toHaveLength(3)
    const { stopped, successful, notStored } = result
    expect([stopped, successful]).toEqual([undefined, 5])
    expect(notStored.at(-1)?.message).toBe(`${status}: nginx`)
  },
)

import { expect, test } from 'vitest'
import { createSharedWork, type Place } from './shared-work.ts'

/** Work whose turns the test decides. */
function heldWork(mostPlaces = 100) {
  const share = createSharedWork(mostPlaces)
  const places: Place[] = []
  const ends: PromiseWithResolvers<void>[] = []
  const ask = (key: string, network: string, hungUp?: AbortController) => {
    const asking = share(key, { network, signal: hungUp?.signal }, (place) => {
      const end = Promise.withResolvers<void>()
      places.push(place)
      ends.push(end)
      // As the queue does: what waits is taken out.
      place.signal.addEventListener('abort', () => end.reject(place.signal.reason))
      return end.promise
    })
    asking.catch(() => undefined)
    return asking
  }
  return {
    ask,
    places,
    ends,
    inLine: () => places.filter(({ signal }) => !signal.aborted).map((one) => one.network),
  }
}

const HUNG_UP = { code: 'TIMEOUT' }

test('a network has one place for the same work, however many ask', async () => {
  const { ask, places, ends } = heldWork()
  const all = [ask('photo', 'a'), ask('photo', 'a'), ask('photo', 'a')]
  expect(places).toHaveLength(1)
  ends[0]!.resolve()
  await Promise.all(all)
  void ask('photo', 'a')
  expect(places).toHaveLength(2)
})

test('each network has a place in its own line, and the first whose turn comes does the work for all', async () => {
  const { ask, places, ends, inLine } = heldWork()
  const all = [ask('photo', 'stranger'), ask('photo', 'guest')]
  expect(inLine()).toEqual(['stranger', 'guest'])
  places[1]!.begin()
  expect(inLine()).toEqual(['guest'])
  const late = ask('photo', 'another')
  expect(inLine()).toEqual(['guest'])
  ends[1]!.resolve()
  await Promise.all([...all, late])
})

test('work that has not begun is given up when all have hung up', async () => {
  const { ask, places, inLine } = heldWork()
  const [first, second, other] = [new AbortController(), new AbortController(), new AbortController()]
  const all = [ask('photo', 'a', first), ask('photo', 'a', second), ask('photo', 'b', other)]
  first.abort()
  await expect(all[0]).rejects.toMatchObject(HUNG_UP)
  expect(inLine()).toEqual(['a', 'b'])
  second.abort()
  await expect(all[1]).rejects.toMatchObject(HUNG_UP)
  expect(inLine()).toEqual(['b'])
  other.abort()
  await expect(all[2]).rejects.toMatchObject(HUNG_UP)
  expect(inLine()).toEqual([])
  void ask('photo', 'a')
  expect(places).toHaveLength(3)
})

test('work that has begun goes on when all have hung up, and the next who asks waits for it', async () => {
  const { ask, places, ends, inLine } = heldWork()
  const hungUp = new AbortController()
  const first = ask('photo', 'a', hungUp)
  places[0]!.begin()
  hungUp.abort()
  await expect(first).rejects.toMatchObject(HUNG_UP)
  expect(inLine()).toEqual(['a'])
  const next = ask('photo', 'b')
  ends[0]!.resolve()
  await next
  expect(places).toHaveLength(1)
})

test('who has hung up before is not waited for', async () => {
  const { ask, places } = heldWork()
  const hungUp = new AbortController()
  hungUp.abort()
  await expect(ask('photo', 'a', hungUp)).rejects.toMatchObject(HUNG_UP)
  expect(places).toEqual([])
})

test('a network has only so many places, other networks have theirs, and a place is free again afterwards', async () => {
  const { ask, ends } = heldWork(2)
  const hungUp = new AbortController()
  const all = [ask('one', 'a'), ask('two', 'a', hungUp)]
  await expect(ask('three', 'a')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfter: 5 })
  void ask('two', 'a')
  void ask('three', 'b')
  ends[0]!.resolve()
  await all[0]
  void ask('four', 'a')
  await expect(ask('five', 'a')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
})

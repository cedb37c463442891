import { expect, test } from 'vitest'
import { RequestFailure } from '../../lib/failure.ts'
import { createPrepare, type Preparing, type Shrink } from './files.ts'

/** HEIC photos have to be made smaller whatever their size is. */
const heic = (name: string) => new File(['heic'], `${name}.heic`)
const small = (name: string) => new File(['jpeg'], `${name}.jpg`)

/** Waits until all pending promise callbacks have run. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

/** A worker that finishes when the test says so, and the names of the photos it got. */
function heldShrink() {
  const asked: string[] = []
  const answers: PromiseWithResolvers<File>[] = []
  const shrink: Shrink = (photo) => {
    asked.push(photo.name)
    const answer = Promise.withResolvers<File>()
    answers.push(answer)
    return answer.promise
  }
  /** Answers the oldest request, and waits until the answer has taken effect. */
  async function answer(result: File | Error = new File([], 'smaller.jpg')) {
    const next = answers.shift()!
    if (result instanceof Error) next.reject(result)
    else next.resolve(result)
    await turn()
  }
  return { shrink, asked, answer }
}

/** Makes every photo smaller at once, except those that have a fault. */
function quickShrink(faults: Record<string, string | Error> = {}) {
  const asked: string[] = []
  const shrink: Shrink = async (photo) => {
    asked.push(photo.name)
    const fault = faults[photo.name]
    if (fault instanceof Error) throw fault
    if (fault) return fault
    return new File([], `${photo.name}.small`)
  }
  return { shrink, asked }
}

const ignore = () => {}

test('photos that fit are not changed, the others are made smaller, also beside a damaged one, and the order stays', async () => {
  const photos = [small('a'), heic('b'), heic('c'), small('d')]
  const { shrink, asked } = quickShrink({ 'b.heic': 'It is damaged' })
  const files = await createPrepare(photos, shrink, ignore)(photos, [])
  expect([files[0], files[1], files[3]]).toEqual([photos[0], 'It is damaged', photos[3]])
  expect((files[2] as File).name).toBe('c.heic.small')
  expect(asked).toEqual(['b.heic', 'c.heic'])
})

test('photos are made smaller one at a time, and the next batch is prepared while this one is sent', async () => {
  const [a, b, c] = [heic('a'), heic('b'), heic('c')]
  const { shrink, asked, answer } = heldShrink()
  const reported: (Preparing | null)[] = []
  const prepare = createPrepare([a, b, c], shrink, (preparing) => reported.push(preparing))
  const first = prepare([a, b], [c])
  await turn()
  expect(asked).toEqual(['a.heic'])
  await answer()
  expect(asked).toEqual(['a.heic', 'b.heic'])
  await answer()
  expect(await first).toHaveLength(2)
  expect(asked).toEqual(['a.heic', 'b.heic', 'c.heic'])
  await answer()
  expect(reported).toEqual([{ number: 1, total: 3 }, { number: 2, total: 3 }, { number: 3, total: 3 }, null])
  expect(await prepare([c], [])).toHaveLength(1)
  expect(asked).toHaveLength(3)
})

test('a batch that is sent again is prepared again only after two other batches', async () => {
  const [a, b, c] = [heic('a'), heic('b'), heic('c')]
  const { shrink, asked } = quickShrink()
  const prepare = createPrepare([a, b, c], shrink, ignore)
  await prepare([a], [b])
  await prepare([a], [b])
  expect(asked).toEqual(['a.heic', 'b.heic'])
  await prepare([b], [c])
  await prepare([a], [])
  expect(asked).toEqual(['a.heic', 'b.heic', 'c.heic', 'a.heic'])
})

test('a worker that does not load fails the batch, and is tried again with its next attempt', async () => {
  const photos = [heic('a')]
  const faults: Record<string, Error> = {
    'a.heic': new RequestFailure('A part of this page did not load', 0),
  }
  const { shrink, asked } = quickShrink(faults)
  const prepare = createPrepare(photos, shrink, ignore)
  await expect(prepare(photos, [])).rejects.toThrow('did not load')
  delete faults['a.heic']
  expect(await prepare(photos, [])).toHaveLength(1)
  expect(asked).toHaveLength(2)
})

test('a photo that is gone from the disk is named as such, also when it could not be opened', async () => {
  const [gone, large] = [small('a'), heic('b')]
  const missing = () => Promise.reject(new DOMException('It could not be found', 'NotFoundError'))
  for (const photo of [gone, large])
    Object.assign(photo, { slice: () => Object.assign(new Blob(), { arrayBuffer: missing }) })
  const { shrink } = quickShrink({ 'b.heic': 'It is damaged' })
  const files = await createPrepare([gone, large], shrink, ignore)([gone, large, small('c')], [])
  expect(files.slice(0, 2)).toEqual(Array(2).fill(expect.stringMatching(/moved or changed/)))
  expect(files[2]).toBeInstanceOf(File)
})

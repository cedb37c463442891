import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { cropFace, samplePhotos } from '../../src/testing/sample-photos.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inframe-recall-'))
})

afterEach(() => rm(folder, { recursive: true }))

/** Runs the bench, with its own folder for temporary files. */
function bench(...args: string[]): Promise<{ code: unknown; text: string }> {
  const main = join(import.meta.dirname, 'main.ts')
  const env = { ...process.env, TMPDIR: folder }
  return new Promise((resolve) => {
    execFile(process.execPath, [main, 'recall', ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, text: stdout + stderr }),
    )
  })
}

/** Two people of the first sample photo, each as they are and mirrored, and a picture without a face. */
async function savePeople(people: string): Promise<void> {
  const [photo] = samplePhotos()
  const places = { Ada: { left: 0.768, top: 0.155 }, Ben: { left: 0.214, top: 0.277 } }
  for (const [person, place] of Object.entries(places)) {
    await mkdir(join(people, person), { recursive: true })
    const face = await cropFace(photo!, { ...place, width: 0.1, height: 0.18 }, 2)
    await writeFile(join(people, person, '1.png'), face)
    await sharp(face)
      .flop()
      .toFile(join(people, person, '2.png'))
  }
  const grey = sharp({ create: { width: 100, height: 100, channels: 3, background: '#888' } })
  await grey.png().toFile(join(people, 'Ben', 'grey.png'))
}

test('says how many photos are found, and which pictures show no face', async () => {
  const people = join(folder, 'people')
  await savePeople(people)
  const { code, text } = await bench('--', people, '--threshold', '80')
  expect(text).toContain('4 pictures of 2 people')
  expect(text).toContain('Not counted, because no face was found: Ben/grey.png')
  expect(text).toMatch(/sure, second hop +4 of 4 +100\.0 .* 0 of 8/)
  expect(text).toMatch(/Ada\/\d\.png +Ben\/\d\.png/)
  expect(text).toMatch(/80 \(distance 0\.500\), selfie alone +4 of 4/)
  expect(code).toBe(0)
})

test('explains itself without a folder, or when nobody is in it', async () => {
  expect(await bench()).toEqual({
    code: 1,
    text: expect.stringContaining('Usage: npm run bench -- recall -- FOLDER'),
  })
  expect(await bench('--', folder)).toEqual({
    code: 1,
    text: expect.stringContaining('no folder with pictures'),
  })
})

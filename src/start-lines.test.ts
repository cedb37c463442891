import { expect, test } from 'vitest'
import { startLines } from './start-lines.ts'

const start = { url: 'http://localhost:3000', letters: 'letters wait in a box', setupLink: undefined }
const away = (message: string) => ({ ok: false, ms: 1, message })
const here = { ok: true, ms: 1 }

test('a process that nothing is missing for says where it is ready, and how to set up Gmail', () => {
  const dependencies = { storage: here, mail: here }
  expect(startLines({ ...start, role: 'all', dependencies, setupLink: 'http://localhost:3000/x' })).toEqual([
    'Inframe is ready at http://localhost:3000 (letters wait in a box)',
    'To set up Gmail, open this link. It works once: http://localhost:3000/x',
  ])
})

test('a process without its photo storage does not say that it is ready', () => {
  const dependencies = {
    storage: away('The photo storage is currently unavailable (ECONNREFUSED)'),
    mail: here,
  }
  expect(startLines({ ...start, role: 'worker', dependencies })).toEqual([
    'Inframe worker runs, but is not ready yet, at http://localhost:3000 (letters wait in a box)',
    'The photo storage is currently unavailable (ECONNREFUSED). Until the photo storage is available again, photos can be neither stored nor shown.',
  ])
})

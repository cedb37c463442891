import { defineConfig } from 'vitest/config'
import { ATTACK_TESTS, RUN } from '../vitest.config.ts'

/** They measure how long other visitors wait, so nothing runs beside them. */
const MEASURED =
  'src/attacks/{album-list,decoding,faces,measure,padded-*,pipelines,requests,scan-bombs,selfie-*,unread-*}.attacks.test.ts'

/** Vitest's configuration for the attacks: `npm run test:attacks`. */
export default defineConfig({
  test: {
    ...RUN,
    projects: [
      {
        extends: true,
        test: { name: 'measured', include: [MEASURED], maxWorkers: 1, sequence: { groupOrder: 0 } },
      },
      {
        extends: true,
        test: {
          name: 'others',
          include: [ATTACK_TESTS],
          exclude: [MEASURED],
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})

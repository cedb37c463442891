import { defineConfig } from 'vitest/config'
import { ATTACK_TESTS, RUN } from '../vitest.config.ts'

/** Vitest's configuration for the attacks: `npm run test:attacks`. They measure how long other visitors wait, so they
 *  run one after another. */
export default defineConfig({
  test: { ...RUN, include: [ATTACK_TESTS], maxWorkers: 1 },
})

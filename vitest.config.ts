import { configDefaults, defineConfig } from 'vitest/config'

/** Those that need an S3 have a configuration of their own, which starts one. */
export const SWIFT_TESTS = 'src/**/*.swift.test.ts'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'scripts/**/*.test.ts', 'web/**/*.test.{ts,tsx}'],
    exclude: [...configDefaults.exclude, SWIFT_TESTS],
    globalSetup: ['src/testing/template-database.ts', 'web/e2e/built-web.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    teardownTimeout: 30_000,
  },
})

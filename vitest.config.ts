import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Those that need an S3 have a configuration of their own, which starts one. */
export const SWIFT_TESTS = 'src/**/*.swift.test.ts'

/** Goes through every page in every state, in a small file: begun last, it would keep one of two cores waiting. */
const LONGEST_TEST = 'web/e2e/accessibility.test.ts'

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLongest = ({ moduleId }: TestSpecification) => moduleId.endsWith(LONGEST_TEST)
    const sorted = await super.sort(files)
    return [...sorted.filter(isLongest), ...sorted.filter((file) => !isLongest(file))]
  }
}

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'scripts/**/*.test.ts', 'web/**/*.test.{ts,tsx}'],
    exclude: [...configDefaults.exclude, SWIFT_TESTS],
    globalSetup: ['src/testing/template-database.ts', 'web/e2e/built-web.ts'],
    sequence: { sequencer: LongestFirst },
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    teardownTimeout: 30_000,
  },
})

import { join } from 'node:path'
import { configDefaults, defineConfig, type ViteUserConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// A process of the tests, or of the service, takes a third of its start to compile what the one before it compiled.
// Node looks at the source before it uses what it kept.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compiled')

/** Those that need an S3 have a configuration of their own, which starts one. */
export const S3_TESTS = 'src/**/*.s3.test.ts'

/** Goes through every page in every state, in a small file: begun last, it would keep one of two cores waiting. */
const LONGEST_TEST = 'web/e2e/accessibility.test.ts'

/** Their subjects depend on what is the whole process's: what libvips may read and keeps, and servers that end with
 *  their process. Each of these files has a process of its own. */
const ALONE = 'src/{database,faces,photos}/**/*.test.ts'

const NOT_HERE = [...configDefaults.exclude, S3_TESTS]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLongest = ({ moduleId }: TestSpecification) => moduleId.endsWith(LONGEST_TEST)
    const sorted = await super.sort(files)
    return [...sorted.filter(isLongest), ...sorted.filter((file) => !isLongest(file))]
  }
}

/** What every run goes by, whichever tests it is of. */
export const RUN = {
  globalSetup: ['src/testing/template-database.ts', 'web/e2e/built-web.ts'],
  pool: 'forks',
  maxWorkers: 2,
  testTimeout: 30_000,
  hookTimeout: 30_000,
  teardownTimeout: 30_000,
} satisfies ViteUserConfig['test']

export default defineConfig({
  test: {
    ...RUN,
    sequence: { sequencer: LongestFirst },
    projects: [
      { extends: true, test: { name: 'alone', include: [ALONE], exclude: NOT_HERE } },
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['src/**/*.test.ts', 'scripts/**/*.test.ts', 'web/**/*.test.{ts,tsx}'],
          exclude: [...NOT_HERE, ALONE],
          // What they test is made anew by each of them, with a database and a folder of its own: only the code is
          // shared, which takes a second to load.
          isolate: false,
        },
      },
    ],
  },
})

import { join } from 'node:path'
import { configDefaults, defineConfig, type ViteUserConfig } from 'vitest/config'
import { makeFolderInMemory } from './src/testing/folder-in-memory.ts'

// Without this cache, every process compiles the same code again, which takes a third of its start. Node compares
// the source before it uses the cache.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compiled')

// The test processes inherit it.
const folderInMemory = process.env.TMPDIR ? undefined : makeFolderInMemory()
if (folderInMemory) process.env.TMPDIR = folderInMemory

/** Tests of storage on an independent S3, OpenStack Swift. scripts/test-slow.config.ts starts it. */
export const S3_TESTS = 'src/**/*.s3.test.ts'

/** What takes minutes, and guards what few changes touch: stories in which processes and dependencies are killed, and
 *  statistics of the face engine. scripts/test-slow.config.ts runs them. */
export const SLOW_TESTS = 'src/**/*.{faults,slow}.test.ts'

/** These test what a whole process shares: libvips' settings and cache, networks, modules that are replaced, and servers
 *  that end with their process. So each file has its own process, whose start takes 0.2 s of processor time. */
const ALONE = [
  'src/database/{embedded*,migrate}.test.ts',
  'src/photos/{decoders,images*,index-faces,preview,renditions}.test.ts',
  'src/faces/embedded/{embedded-*,search-thread}.test.ts',
  'src/faces/embedded/networks/{engine,face-quality,face-workers,index-limits,runtime,unclear-faces}.test.ts',
  'src/faces/rekognition/{rekognition-*,service-faults}.test.ts',
]

const NOT_HERE = [...configDefaults.exclude, S3_TESTS, SLOW_TESTS]

/** The settings of every run. */
export const RUN = {
  globalSetup: ['src/testing/template-database.ts', 'web/e2e/built-web.ts'],
  pool: 'forks',
  // Tests wait for pages and clocks: with two workers, two cores are idle 40% of the time.
  maxWorkers: 4,
  // They only end a test that hangs: a busy machine needs far less.
  testTimeout: 120_000,
  hookTimeout: 180_000,
  teardownTimeout: 30_000,
  expect: { poll: { timeout: 30_000 } },
} satisfies ViteUserConfig['test']

export default defineConfig({
  test: {
    ...RUN,
    projects: [
      { extends: true, test: { name: 'alone', include: ALONE, exclude: NOT_HERE } },
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['src/**/*.test.ts', 'scripts/**/*.test.ts', 'web/**/*.test.{ts,tsx}'],
          exclude: [...NOT_HERE, ...ALONE],
          // Each file makes its own database and folder. Only the code is shared, which takes a second to load.
          isolate: false,
        },
      },
    ],
  },
})

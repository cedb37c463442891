/** `npm test [-- FILE ...]`: runs vitest. When one to five files failed, these files run once more, alone. What passes
 *  then is printed as `FLAKY file > test` and does not fail the run: such a test has to be mended, but it must not hold
 *  up other work. Whole files run again, because the tests of some build on each other. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

const MOST_FILES = 5

/** The part of vitest's JSON report that is used here. */
interface Report {
  numPassedTests: number
  numFailedTests: number
  testResults: {
    name: string
    status: 'passed' | 'failed'
    assertionResults: { fullName: string; status: string }[]
  }[]
}

const folder = mkdtempSync(join(tmpdir(), 'inframe-report-'))
try {
  process.exitCode = runTests(process.argv.slice(2))
} finally {
  rmSync(folder, { recursive: true })
}

/** @returns the exit code */
function runTests(args: string[]): number {
  const first = runVitest(args)
  const failed = first.report?.testResults.filter(({ status }) => status === 'failed') ?? []
  // Without a failed file, something else is wrong: a set-up, or an error that no test caught.
  if (first.status === 0 || failed.length === 0 || failed.length > MOST_FILES) return closing(first)

  const files = failed.map(({ name }) => name)
  console.log(`\nOnce more, alone: ${files.map(fromHere).join(', ')}\n`)
  const second = runVitest([...args.filter((arg) => arg.startsWith('-')), '--maxWorkers=1', ...files])
  if (second.status !== 0) return closing(second)
  for (const { name, assertionResults } of failed) {
    const tests = assertionResults.filter(({ status }) => status === 'failed')
    for (const test of tests.length > 0 ? tests : [{ fullName: '(outside of a test)' }])
      console.log(`FLAKY ${fromHere(name)} > ${test.fullName}`)
  }
  return closing({ ...first, status: 0 }, first.report!.numFailedTests)
}

/** Prints how many tests passed and failed in the end. */
function closing({ status, report }: ReturnType<typeof runVitest>, passedLater = 0): number {
  if (report)
    console.log(
      `${report.numPassedTests + passedLater} passed, ${report.numFailedTests - passedLater} failed`,
    )
  return status
}

function runVitest(args: string[]): { status: number; report: Report | undefined } {
  const path = join(folder, 'report.json')
  rmSync(path, { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${path}`]
  const { status, error } = spawnSync('vitest', ['run', ...reporters, ...args], { stdio: 'inherit' })
  if (error) throw error
  return {
    status: status ?? 1,
    report: existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined,
  }
}

function fromHere(file: string): string {
  return relative(process.cwd(), file)
}

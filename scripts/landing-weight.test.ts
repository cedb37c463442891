import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../src/testing/app.ts'
import { LANDING_MAX_BYTES, weighLanding } from './landing-weight.ts'

let service: TestApp

beforeAll(async () => {
  service = await startTestApp({ work: false })
})
afterAll(() => service?.close())

test.each(['br', 'gzip'] as const)('the landing page is light enough in %s', async (encoding) => {
  const bytes = await weighLanding(service.url, encoding)
  expect(bytes).toBeLessThan(LANDING_MAX_BYTES)
  // React and the router alone are two thirds of it: a smaller sum means that something was not counted.
  expect(bytes).toBeGreaterThan(LANDING_MAX_BYTES / 2)
})

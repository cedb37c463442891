import { afterEach, expect, test, vi } from 'vitest'
import { loadRuntime } from './runtime.ts'

afterEach(() => void vi.doUnmock('onnxruntime-node'))

const withoutNative = () =>
  vi.doMock('onnxruntime-node', () => {
    throw new Error('libonnxruntime.so.1: cannot open shared object file')
  })

test('the native runtime is used where it loads', async () => {
  expect((await loadRuntime()).name).toBe('native')
})

test('where it does not load, WebAssembly is used, and the reason is given', async () => {
  withoutNative()
  const { name, nativeProblem } = await loadRuntime()
  expect(name).toBe('wasm')
  expect(nativeProblem).toBeInstanceOf(Error)
})

test('a runtime that was asked for is used, or refused when it does not load', async () => {
  expect((await loadRuntime('wasm')).name).toBe('wasm')
  withoutNative()
  await expect(loadRuntime('native')).rejects.toThrow()
})

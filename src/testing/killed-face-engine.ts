/** The face engine. It kills itself once in the phase that a file in the folder for temporary files is named after. */
import { unlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { InferenceSession } from 'onnxruntime-node'
import sharp from 'sharp'

export type Phase = 'starting' | 'loading' | 'decoding' | 'inferring' | 'answering'

const KILL = 'process.kill(process.pid, "SIGKILL")'

function killIf(phase: Phase, kill = () => void process.kill(process.pid, 'SIGKILL')): void {
  try {
    unlinkSync(join(tmpdir(), phase))
  } catch {
    return
  }
  kill()
}

/** Calls `during` as soon as this method of the object has been called. */
function watch<Name extends string>(
  object: Record<Name, (...args: never[]) => unknown>,
  name: Name,
  during: (...args: never[]) => void,
): void {
  const original = object[name]
  object[name] = function (this: unknown, ...args) {
    const result = original.apply(this, args)
    during(...args)
    return result
  }
}

killIf('starting')
watch(InferenceSession as never, 'create', () => killIf('loading'))
watch(sharp.prototype as never, 'toBuffer', () => killIf('decoding'))
// A run blocks this thread, so another thread kills the process.
watch((InferenceSession as unknown as { prototype: never }).prototype, 'run', () =>
  killIf('inferring', () => void new Worker(KILL, { eval: true })),
)
watch(process as never, 'send', (message: object) => {
  if ('answer' in message) killIf('answering')
})
await import('../faces/embedded/face-worker.ts')

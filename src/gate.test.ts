import { expect, test } from 'vitest'
import { createGate } from './gate.ts'

test('runs a limited number at once, the others in order, and continues after a failure', async () => {
  const gate = createGate(2)
  const entered: number[] = []
  const finish: ((error?: Error) => void)[] = []
  const work = Array.from({ length: 5 }, (_, number) =>
    gate(() => {
      entered.push(number)
      return new Promise<number>((resolve, reject) => {
        finish[number] = (error) => (error ? reject(error) : resolve(number))
      })
    }),
  )
  expect(entered).toEqual([0, 1])
  finish[1]!(new Error('broken'))
  await expect(work[1]).rejects.toThrow('broken')
  expect(entered).toEqual([0, 1, 2])
  finish[0]!()
  expect(await work[0]).toBe(0)
  expect(entered).toEqual([0, 1, 2, 3])
  finish[2]!()
  finish[3]!()
  await work[3]
  finish[4]!()
  expect(await work[4]).toBe(4)
  expect(await gate(async () => 'free again')).toBe('free again')
})

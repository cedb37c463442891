import { setTimeout as pause } from 'node:timers/promises'
import { figure, printTable } from '../report.ts'
import { ATTACKS, type Attack } from './attacks.ts'
import { loadOthers, type Waits } from './others.ts'
import { type AttackedSite, startAttackedSite } from './site.ts'

const LOOK_AT_MEMORY_EVERY_MS = 100
/** The allocator returns memory late. The bench waits this long for it, or until it is this much above that before. */
const RETURN_MS = 15_000
const RETURNED_BYTES = 16 * 2 ** 20
/** Between two rounds. */
const PAUSE_MS = 20

/** Attacks a running service as strangers would. For each attack it prints how long other visitors wait before it, which
 *  is the yardstick, and during it, and the memory of the service. No time makes it fail.
 *  @param words only the attacks whose names have all of these; every attack by default */
export async function benchAttacks(words: string[]): Promise<void> {
  const site = await startAttackedSite()
  const measure = await loadOthers(site)
  const rows: string[][] = []
  for (const attack of ATTACKS.filter(({ name }) => words.every((word) => name.includes(word)))) {
    if (site.hasEnded()) break
    console.error(`  … ${attack.name}`)
    rows.push([attack.name, attack.size, ...(await measured(site, measure, attack))])
    await site.forget()
  }
  console.log('  Other visitors: medians in ms for a poll / a thumbnail / a search. Memory: MB.')
  const header = [
    'attack',
    'size',
    'before',
    'during',
    'ratio',
    'refused',
    'before',
    'peak',
    'after',
    'same process',
  ]
  printTable(header, rows)
}

async function measured(
  site: AttackedSite,
  measure: () => Promise<Waits>,
  attack: Attack,
): Promise<string[]> {
  const round = await attack.prepare(site)
  const atRest = await site.memory()
  const before = await measure()
  const ending = new AbortController()
  const rounds = { done: 0, failed: 0 }
  const repeat = async () => {
    for (; !ending.signal.aborted; await pause(PAUSE_MS))
      await round(ending.signal).then(
        () => rounds.done++,
        () => rounds.failed++,
      )
  }
  let peak = 0
  const watch = async () => {
    for (; !ending.signal.aborted; await pause(LOOK_AT_MEMORY_EVERY_MS))
      peak = Math.max(peak, await site.memory({ collects: false }))
  }
  const [during] = await Promise.all([measure().finally(() => ending.abort()), repeat(), watch()])
  const figures = [before.ms, during.ms, during.ms.map((ms, call) => ms / before.ms[call]!)]
  const after = await settled(site, atRest)
  return [
    `${rounds.done}${rounds.failed > 0 ? ` (${rounds.failed} failed)` : ''}`,
    ...figures.map((calls) => calls.map(figure).join(' / ')),
    String(during.refused),
    ...[atRest, peak, after].map((bytes) => String(Math.round(bytes / 1e6))),
    site.hasEnded() ? 'NO' : 'yes',
  ]
}

/** The memory when it has returned, or when it does not within some seconds. */
async function settled(site: AttackedSite, atRest: number): Promise<number> {
  for (const until = performance.now() + RETURN_MS; !site.hasEnded(); await pause(500)) {
    const used = await site.memory()
    if (used < atRest + RETURNED_BYTES || performance.now() > until) return used
  }
  return 0
}

import { randomNumbers } from '../../../src/testing/synthetic-people.ts'

/** How often something happened, of how many times it could. */
export interface Share {
  hits: number
  of: number
}

export type Interval = [low: number, high: number]

/** 95% of a normal distribution is within this many standard deviations. */
const DEVIATIONS = 1.96

const RESAMPLES = 2_000

export function together(shares: readonly Share[]): Share {
  return {
    hits: shares.reduce((sum, { hits }) => sum + hits, 0),
    of: shares.reduce((sum, share) => sum + share.of, 0),
  }
}

/** The 95% interval of Wilson (1927) for a share, 0–1. It is right for independent trials only. */
export function wilsonInterval({ hits, of }: Share): Interval {
  if (of === 0) return [0, 1]
  const squared = DEVIATIONS ** 2
  const middle = hits + squared / 2
  const reach = DEVIATIONS * Math.sqrt((hits * (of - hits)) / of + squared / 4)
  return [(middle - reach) / (of + squared), (middle + reach) / (of + squared)]
}

/** The 95% interval of a share whose trials come in clusters: the pictures of one person are alike. The clusters are
 *  drawn again and again with replacement (bootstrap), with the same draws in every run. Undefined when all trials ended
 *  alike, because then every draw gives the same. */
export function clusteredInterval(clusters: readonly Share[]): Interval | undefined {
  const all = together(clusters)
  if (all.hits === 0 || all.hits === all.of) return undefined
  const next = randomNumbers()
  const drawn = Array.from({ length: RESAMPLES }, () => {
    const { hits, of } = together(clusters.map(() => clusters[Math.floor(next() * clusters.length)]!))
    return hits / of
  })
    .filter((part) => !Number.isNaN(part))
    .sort((one, other) => one - other)
  const at = (part: number) => drawn[Math.round(part * (drawn.length - 1))]!
  return [at(0.025), at(0.975)]
}

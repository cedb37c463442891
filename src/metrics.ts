import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { atMostEvery } from './at-most-every.ts'

/** Ms for which a reading of the database is reused: there may be several scrapers, and each reading counts rows. */
const READING_MS = 5_000

/** Jobs of one queue in one state. */
export interface QueueFigure {
  queue: string
  state: 'waiting' | 'deferred' | 'active'
  count: number
}

/** What is read for each scrape. */
export interface Readings {
  queues(): Promise<QueueFigure[]>
  /** Photos by stage. */
  photos(): Promise<Record<string, number>>
  /** Pictures that this process has to decode. */
  decoders(): { waiting: number; running: number }
}

/** All metrics. No label ever holds text from a visitor: paths are patterns, and nothing is counted by album. */
export interface Metrics {
  httpRequests: Histogram<'method' | 'route' | 'status'>
  jobs: Histogram<'queue' | 'outcome'>
  uploadedBytes: Counter
  searches: Counter<'kind'>
  /** In Prometheus's text format. */
  text(): Promise<string>
  contentType: string
}

/** @param onFault is called when a reading failed. Its figures are missing from that scrape. */
export function createMetrics(readings: Readings, onFault: (error: unknown) => void): Metrics {
  const registry = new Registry()
  const registers = [registry]
  const queues = atMostEvery(READING_MS, () => read(readings.queues, [], onFault))
  const photos = atMostEvery(READING_MS, () => read(readings.photos, {}, onFault))
  const ALIKE = 'The same in every process: take the maximum, not the sum.'

  new Gauge({
    name: 'inframe_queue_jobs',
    help: `Jobs by queue and state; deferred ones run later. ${ALIKE}`,
    labelNames: ['queue', 'state'],
    registers,
    async collect() {
      this.reset()
      for (const { queue, state, count } of await queues()) this.set({ queue, state }, count)
    },
  })
  new Gauge({
    name: 'inframe_photos',
    help: `Stored photos by stage: waiting to be indexed, indexed, or given up. ${ALIKE}`,
    labelNames: ['stage'],
    registers,
    async collect() {
      this.reset()
      for (const [stage, count] of Object.entries(await photos())) this.set({ stage }, count)
    },
  })
  new Gauge({
    name: 'inframe_decoder_pictures',
    help: 'Pictures that wait for a decoder of this process, and pictures in one',
    labelNames: ['state'],
    registers,
    collect() {
      for (const [state, count] of Object.entries(readings.decoders())) this.set({ state }, count)
    },
  })
  return {
    httpRequests: new Histogram({
      name: 'inframe_http_request_seconds',
      help: 'Seconds from the head of a request to the end of its answer, by method, route and status',
      labelNames: ['method', 'route', 'status'],
      // A polled call takes milliseconds, a search a second, a batch of photos up to two minutes.
      buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120],
      registers,
    }),
    jobs: new Histogram({
      name: 'inframe_job_seconds',
      help: 'Seconds that a run of a job took, by queue and outcome (completed or failed)',
      labelNames: ['queue', 'outcome'],
      buckets: [0.01, 0.05, 0.25, 1, 2.5, 10, 30, 120, 600],
      registers,
    }),
    uploadedBytes: new Counter({
      name: 'inframe_uploaded_bytes_total',
      help: 'Bytes of received photos, both stored and refused ones',
      registers,
    }),
    searches: new Counter({
      name: 'inframe_searches_total',
      help: 'Received selfies: to search an album at once, or as a submission',
      labelNames: ['kind'],
      registers,
    }),
    text: () => {
      watchProcess(registry)
      return registry.metrics()
    },
    contentType: registry.contentType,
  }
}

/** Memory, CPU, event loop and garbage collection. The first scrape starts them, because they cost a little. */
function watchProcess(registry: Registry): void {
  if (!registry.getSingleMetric('process_cpu_seconds_total')) collectDefaultMetrics({ register: registry })
}

async function read<T>(ask: () => Promise<T>, otherwise: T, onFault: (error: unknown) => void): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    onFault(error)
    return otherwise
  }
}

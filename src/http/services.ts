import type { Services } from '../api/trpc.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import type { SearchDeps } from '../search/search-album.ts'
import type { FileStorage } from '../storage/file-storage.ts'
import type { Readiness } from './readiness.ts'
import type { Staging } from './staging.ts'

/** All that the routes use. */
export interface AppServices extends Services, SearchDeps {
  storage: FileStorage
  staging: Staging
  log: Log
  metrics: Metrics
  readiness: Readiness
  /** The address visitors use; undefined: the one each request came to. */
  publicUrl: string | undefined
  /** Whose X-Forwarded-For tells a visitor's address: names and ranges, separated by commas. */
  trustProxy: string
  /** Ms that a selfie handed in is waited for. */
  selfiePatienceMs: number
  /** What the pages are told of this installation; either may be missing. */
  photoLibraryUrl: string | undefined
  analyticsMeasurementId: string | undefined
}

import type { Services } from '../api/trpc.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import type { SearchDeps } from '../search/search-album.ts'
import type { FileStorage } from '../storage/file-storage.ts'
import type { AlbumQuota } from '../uploads/quota.ts'
import type { Readiness } from './readiness.ts'
import type { Staging } from './staging.ts'

/** Everything that the routes use. */
export interface AppServices extends Services, SearchDeps {
  storage: FileStorage
  staging: Staging
  albumQuota: AlbumQuota
  log: Log
  metrics: Metrics
  readiness: Readiness
  /** The address that visitors use; undefined: the one that each request was sent to. */
  publicUrl: string | undefined
  /** The name or address that the server listens on. */
  host: string
  /** The proxies whose X-Forwarded-For header is trusted: names and address ranges, separated by commas. */
  trustProxy: string
  /** Ms that a submission's request waits for its outcome. */
  selfieWaitMs: number
  /** Settings for the pages; both are optional. */
  photoLibraryUrl: string | undefined
  analyticsMeasurementId: string | undefined
}

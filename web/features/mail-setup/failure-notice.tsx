import { failureText } from '../../lib/failure.ts'
import { Notice } from '../../ui/notice.tsx'

/** The error notice of the helper pages (§8). The service's own sentence says what a maintainer without access can do. */
export function FailureNotice({ prefix, error }: { prefix: string; error: unknown }) {
  return <Notice tone="error" title={`${prefix}: ${failureText(error)}`} />
}

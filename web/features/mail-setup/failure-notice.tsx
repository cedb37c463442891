import { failureOf, failureText } from '../../lib/failure.ts'
import { Notice } from '../../ui/notice.tsx'

/** An alert of the helper pages (§8), with what a maintainer without access can do. */
export function FailureNotice({ prefix, error }: { prefix: string; error: unknown }) {
  const isKeptOut = failureOf(error)?.status === 401
  return (
    <Notice tone="error" title={`${prefix}: ${failureText(error)}`}>
      {isKeptOut && (
        <p>
          On another machine, set ADMIN_TOKEN where Inframe runs. Then press the button again: your browser
          asks for a login. Give any user name, and ADMIN_TOKEN as the password.
        </p>
      )}
    </Notice>
  )
}

import { AppError } from '../errors.ts'

/** What the maintainer pasted: the code alone, or the address that Google sent the browser to, whole or in part.
 *  @throws AppError BAD_REQUEST when that address says that the permission was refused. */
export function readPastedCode(pasted: string): { code: string; state: string | undefined } {
  const query = new URLSearchParams(pasted.replace(/#.*$/s, '').replace(/^[^?]*\?/s, ''))
  const refusal = query.get('error')
  if (refusal)
    throw new AppError(
      'BAD_REQUEST',
      refusal === 'access_denied'
        ? 'The permission was not given. Open the address again and allow Inframe to send mail.'
        : 'Google did not give the permission. Generate a new address and try again.',
    )
  const code = query.get('code')?.trim()
  if (code) return { code, state: query.get('state') ?? undefined }
  return { code: unescaped(pasted), state: undefined }
}

/** Google's codes contain a slash, which an address bar shows as %2F, and never a percent sign. */
function unescaped(code: string): string {
  try {
    return decodeURIComponent(code)
  } catch {
    // Not an escape after all: Google says what it thinks of this code.
    return code
  }
}

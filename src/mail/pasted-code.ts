import { AppError } from '../errors.ts'

/** Reads what the maintainer pasted: the code alone, or all or part of the address that Google sent the browser to.
 *  @throws AppError BAD_REQUEST when that address says that the permission was refused. */
export function readPastedCode(pasted: string): { code: string; state: string | undefined } {
  const query = new URLSearchParams(pasted.replace(/#.*$/s, '').replace(/^[^?]*\?/s, ''))
  const refusal = query.get('error')
  if (refusal)
    throw refusal === 'access_denied'
      ? permissionDenied()
      : new AppError(
          'BAD_REQUEST',
          'Google did not give the permission. Generate a new address and try again.',
        )
  const code = query.get('code')?.trim()
  if (code) return { code, state: query.get('state') ?? undefined }
  return { code: unescaped(pasted), state: undefined }
}

/** Decodes a code copied from an address bar. Google's codes contain a slash, which the address bar shows as %2F,
 *  and never a percent sign. */
function unescaped(code: string): string {
  try {
    return decodeURIComponent(code)
  } catch {
    // Not percent-encoded: Google decides whether this code is valid.
    return code
  }
}

export const permissionDenied = () =>
  new AppError(
    'BAD_REQUEST',
    'The permission was not given. Open the address again and allow Inframe to send mail.',
  )

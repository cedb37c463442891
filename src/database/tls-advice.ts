/** What to do about a fault of TLS between Inframe and Postgres, by the code or the words of the error. */
const ADVICE: [fault: RegExp, advice: string][] = [
  [
    /does not support SSL/,
    'This server does not speak TLS: remove sslmode from DATABASE_URL, or set sslmode=disable.',
  ],
  [
    /no encryption|SSL off|(SSL|TLS)( connection)? (is )?required|requires (SSL|TLS)|insecure/i,
    'This server wants TLS: add sslmode=verify-full to DATABASE_URL, and sslrootcert=/path/ca.pem if its certificate is not of a public authority.',
  ],
  [
    /SELF_SIGNED|UNABLE_TO_(VERIFY|GET)/,
    "Nobody that this machine knows has signed the server's certificate: add sslmode=verify-full&sslrootcert=/path/ca.pem to DATABASE_URL, with the authority's certificate in that file.",
  ],
  [
    /ALTNAME_INVALID/,
    "The server's certificate is for another name than DATABASE_URL has: use that name, or sslmode=verify-ca&uselibpqcompat=true with sslrootcert=/path/ca.pem.",
  ],
  [/CERT_(HAS_EXPIRED|NOT_YET_VALID)/, "Renew the server's certificate, or set this machine's clock."],
  [
    /^ENOENT .*\bopen\b/,
    'sslrootcert, sslcert and sslkey in DATABASE_URL have to name files on this machine.',
  ],
]

/** @returns a sentence with a blank before it; empty for a fault of something else */
export function tlsAdvice(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException
  const found = ADVICE.find(([fault]) => fault.test(`${code} ${message}`))
  return found ? ` ${found[1]}` : ''
}

import { expect, test } from 'vitest'
import { tlsAdvice } from './tls-advice.ts'

test.each([
  ['The server does not support SSL connections', '', / sslmode=disable/],
  ['no pg_hba.conf entry for host "10.0.0.1", user "a", database "b", no encryption', '', / add sslmode=/],
  ['no pg_hba.conf entry for host "10.0.0.1", user "a", database "b", SSL off', '', / add sslmode=/],
  ['SSL connection is required. Please specify SSL options and retry.', '', / add sslmode=verify-full/],
  ['connection is insecure (try using `sslmode=require`)', '', / add sslmode=verify-full/],
  ['self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT', / sslmode=verify-full&sslrootcert=/],
  ["Hostname/IP does not match certificate's altnames", 'ERR_TLS_CERT_ALTNAME_INVALID', / another name /],
  ["ENOENT: no such file or directory, open '/no/such'", 'ENOENT', / sslrootcert.* files/],
  ['connect ECONNREFUSED 127.0.0.1:5432', 'ECONNREFUSED', /^$/],
  ['password authentication failed for user "a"', '28P01', /^$/],
])('%s: the advice fits', (message, code, advice) => {
  expect(tlsAdvice(Object.assign(new Error(message), { code }))).toMatch(advice)
})

import { AppError } from '../errors.ts'

/** What is wrong with the store, in one line for whoever runs the service; visitors are told only that it is away. */
export class S3Fault extends Error {
  override readonly name = 'S3Fault'
  /** Does not pass by itself: a variable has to change, or something in the store's own settings. */
  readonly isSetting: boolean

  constructor(message: string, isSetting: boolean, cause: unknown) {
    super(message, { cause })
    this.isSetting = isSetting
  }
}

/** What has to be changed, when it is a setting that makes a call to the store fail. */
export function settingAtFault(error: unknown): string | undefined {
  const cause = error instanceof AppError ? error.cause : undefined
  return cause instanceof S3Fault && cause.isSetting ? cause.message : undefined
}

/** The answers that only a change of settings ends. Names: Amazon S3 API reference, "Error responses"; the SDK's own
 *  for credentials. */
const SETTINGS: Record<string, string> = {
  NoSuchBucket: 'S3_BUCKET: there is no such bucket',
  InvalidBucketName: 'S3_BUCKET: this is no name of a bucket',
  InvalidAccessKeyId: 'AWS_ACCESS_KEY_ID: the store does not know it',
  SignatureDoesNotMatch: 'AWS_SECRET_ACCESS_KEY: does not belong to AWS_ACCESS_KEY_ID',
  InvalidToken: 'AWS_SESSION_TOKEN: is not valid',
  ExpiredToken: 'AWS_SESSION_TOKEN: has expired',
  CredentialsProviderError:
    'AWS_ACCESS_KEY_ID: no credentials were found, here or in the places the AWS SDK knows',
  AccessDenied: 'AWS_ACCESS_KEY_ID: its owner has no right to do this in the bucket',
  AllAccessDisabled: 'S3_BUCKET: access to it is switched off',
  PermanentRedirect: 'AWS_REGION: the bucket is in another region',
  AuthorizationHeaderMalformed: 'AWS_REGION: the bucket is in another region',
  IllegalLocationConstraintException: 'AWS_REGION: the bucket is in another region',
  RequestTimeTooSkewed: 'The clock of this machine is wrong',
}
/** For names that are a store's own. */
const SETTINGS_BY_STATUS: Record<number, string> = {
  301: SETTINGS.PermanentRedirect!,
  403: SETTINGS.AccessDenied!,
}

const MISSING = new Set(['NoSuchKey', 'NoSuchUpload'])

/** What a connection that breaks or never comes about is called, by the network, by TLS and by Node's streams. */
const UNREACHABLE =
  /^(ECONN(REFUSED|RESET|ABORTED)|E(HOST|NET)UNREACH|EPIPE|EAI_AGAIN|ENOTFOUND|EPROTO|ERR_STREAM_PREMATURE_CLOSE)$|CERT|SSL|TLS/

interface SdkError extends Error {
  code?: string
  $metadata?: { httpStatusCode?: number }
}

/** Turns faults of S3 into words for the person who made the call, with an S3Fault as their cause; anything else is
 *  thrown on.
 *  @param what was being done, such as `PutObject` */
export async function s3Faults<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Error) || error instanceof AppError) throw error
    if (MISSING.has(error.name))
      throw new AppError('NOT_FOUND', 'This file is no longer stored', { cause: error })
    const cause = describe(error, what)
    throw cause ? unavailable(cause) : error
  }
}

/** Keys that the store was asked to delete and did not, though it answered. */
export function undeleted(codes: string[]): AppError {
  const [code = 'no reason given'] = codes
  const line = SETTINGS[code] ?? 'The store did not delete'
  const cause = new S3Fault(
    `${line} (DeleteObjects: ${codes.length} files, ${code})`,
    code in SETTINGS,
    undefined,
  )
  return unavailable(cause)
}

function unavailable(cause: S3Fault): AppError {
  return new AppError('SERVICE_UNAVAILABLE', 'The photo storage is currently unavailable', { cause })
}

function describe(error: SdkError, what: string): S3Fault | undefined {
  const { name, code = '', message, $metadata } = error
  const status = $metadata?.httpStatusCode
  const setting =
    SETTINGS[name] ??
    SETTINGS_BY_STATUS[status ?? 0] ??
    (name.startsWith('KMS.') ? 'S3_ENCRYPTION: its key cannot be used' : undefined) ??
    (message === 'Region is missing' ? 'AWS_REGION: is not set' : undefined)
  if (setting) return new S3Fault(`${setting} (${what}: ${name})`, true, error)
  // The SDK calls a broken connection a TimeoutError, too.
  if (UNREACHABLE.test(code))
    return new S3Fault(`The store cannot be reached (${what}: ${code})`, false, error)
  if (name === 'TimeoutError' || name === 'AbortError' || code === 'ETIMEDOUT')
    return new S3Fault(`The store does not answer in time (${what})`, false, error)
  if (status) return new S3Fault(`The store has a fault (${what}: ${status} ${name})`, false, error)
  return undefined
}

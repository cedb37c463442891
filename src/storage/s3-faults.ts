import { AppError } from '../errors.ts'
import { fileMissing, storageUnavailable } from './file-storage.ts'

/** What is wrong with the store, in one line for the maintainer. Visitors only read that the storage is unavailable. */
export class S3Fault extends Error {
  override readonly name = 'S3Fault'
  /** True when the fault does not pass by itself: a variable or a setting of the store has to change. */
  readonly isSetting: boolean

  constructor(message: string, isSetting: boolean, cause: unknown) {
    super(message, { cause })
    this.isSetting = isSetting
  }
}

/** The message about the setting that has to change, when a setting made a call to the store fail; undefined for any
 *  other error. */
export function settingAtFault(error: unknown): string | undefined {
  const cause = error instanceof AppError ? error.cause : undefined
  return cause instanceof S3Fault && cause.isSetting ? cause.message : undefined
}

/** Whether the store lacks a call. Google's answers 400 in this case. */
export function isNotImplemented(error: unknown): boolean {
  const fault = error instanceof AppError && error.cause instanceof S3Fault ? error.cause.cause : undefined
  const { name, $metadata } = (fault ?? {}) as SdkError
  return name === 'NotImplemented' || $metadata?.httpStatusCode === 501
}

/** Messages for errors that only a change of settings ends. The names are from the Amazon S3 API reference, "Error
 *  responses", and from the SDK for credentials. */
const SETTINGS: Record<string, string> = {
  NoSuchBucket: 'S3_BUCKET: this bucket does not exist',
  InvalidBucketName: 'S3_BUCKET: this is not a valid bucket name',
  InvalidAccessKeyId: 'AWS_ACCESS_KEY_ID: the store does not know this key',
  SignatureDoesNotMatch: 'AWS_SECRET_ACCESS_KEY: does not belong to AWS_ACCESS_KEY_ID',
  InvalidToken: 'AWS_SESSION_TOKEN: this token is not valid',
  ExpiredToken: 'AWS_SESSION_TOKEN: this token has expired',
  CredentialsProviderError:
    'AWS_ACCESS_KEY_ID: no credentials were found, neither in this variable nor in the other places where the AWS SDK looks',
  AccessDenied: 'AWS_ACCESS_KEY_ID: the owner of this key is not allowed to do this in the bucket',
  AllAccessDisabled: 'S3_BUCKET: access to this bucket is disabled',
  PermanentRedirect: 'AWS_REGION: the bucket is in another region',
  AuthorizationHeaderMalformed: 'AWS_REGION: the bucket is in another region',
  IllegalLocationConstraintException: 'AWS_REGION: the bucket is in another region',
  RequestTimeTooSkewed: 'The clock of this machine is wrong',
}
/** For error names that only one store uses. */
const SETTINGS_BY_STATUS: Record<number, string> = {
  301: SETTINGS.PermanentRedirect!,
  403: SETTINGS.AccessDenied!,
}

/** Error codes of the network, of TLS and of Node's streams for a connection that breaks or cannot be made. */
const UNREACHABLE =
  /^(ECONN(REFUSED|RESET|ABORTED)|E(HOST|NET)UNREACH|EPIPE|EAI_AGAIN|ENOTFOUND|EPROTO|ERR_STREAM_PREMATURE_CLOSE)$|CERT|SSL|TLS/

interface SdkError extends Error {
  code?: string
  $metadata?: { httpStatusCode?: number }
}

/** Runs `work` and turns faults of S3 into errors for the person who made the call.
 *  @param what the name of the call, such as `PutObject`
 *  @throws AppError NOT_FOUND, or SERVICE_UNAVAILABLE with an S3Fault as its cause; any other error unchanged */
export async function s3Faults<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Error) || error instanceof AppError) throw error
    if (error.name === 'NoSuchKey') throw fileMissing(error)
    const cause = describe(error, what)
    throw cause ? storageUnavailable(cause) : error
  }
}

/** The error when the store answered, but did not delete all the keys.
 *  @param codes the store's error code for each key that was not deleted */
export function undeleted(codes: string[]): AppError {
  const [code = 'no reason given'] = codes
  const line = SETTINGS[code] ?? 'The store did not delete all files'
  const cause = new S3Fault(
    `${line} (DeleteObjects: ${codes.length} files, ${code})`,
    code in SETTINGS,
    undefined,
  )
  return storageUnavailable(cause)
}

function describe(error: SdkError, what: string): S3Fault | undefined {
  const { name, code = '', message, $metadata } = error
  const status = $metadata?.httpStatusCode
  const setting =
    SETTINGS[name] ??
    SETTINGS_BY_STATUS[status ?? 0] ??
    (name.startsWith('KMS.') ? 'S3_ENCRYPTION: the store cannot use this key' : undefined) ??
    (message === 'Region is missing' ? 'AWS_REGION: not set' : undefined)
  if (setting) return new S3Fault(`${setting} (${what}: ${name})`, true, error)
  // Tested before TimeoutError, which is also the SDK's name for a broken connection.
  if (UNREACHABLE.test(code))
    return new S3Fault(`The store cannot be reached (${what}: ${code})`, false, error)
  if (name === 'TimeoutError' || name === 'AbortError' || code === 'ETIMEDOUT')
    return new S3Fault(`The store does not answer in time (${what})`, false, error)
  if (status)
    return new S3Fault(`The store answered with an error (${what}: ${status} ${name})`, false, error)
  return undefined
}

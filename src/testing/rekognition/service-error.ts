/** From "Common Errors" and the "Errors" sections of the operations in the Amazon Rekognition API Reference. Their status
 *  is 400, but for the two of the service itself. */
export type ErrorName =
  | `${
      | 'AccessDenied'
      | 'ImageTooLarge'
      | 'InvalidImageFormat'
      | 'InvalidParameter'
      | 'InvalidS3Object'
      | 'InvalidSignature'
      | 'ProvisionedThroughputExceeded'
      | 'ResourceAlreadyExists'
      | 'ResourceNotFound'
      | 'ServiceQuotaExceeded'
      | 'Throttling'
      | 'UnrecognizedClient'}Exception`
  | 'InternalServerError'

/** An error that the service answers with. */
export class ServiceError extends Error {
  override readonly name: ErrorName
  readonly status: number

  constructor(name: ErrorName, message: string) {
    super(message)
    this.name = name
    this.status = name === 'InternalServerError' || name === 'ThrottlingException' ? 500 : 400
  }
}

/** What a request gets instead of its answer: an error; `break`, a connection that breaks before anything is done;
 *  `break-after`, one that breaks after everything is done; or `hang`, no answer at all. */
export type ServiceFault = ErrorName | 'break' | 'break-after' | 'hang'

/** The HTTP status of each error, from "Common Errors" and the "Errors" sections of the operations in the Amazon
 *  Rekognition API Reference. */
const STATUS = {
  AccessDeniedException: 400,
  ImageTooLargeException: 400,
  InternalServerError: 500,
  InvalidImageFormatException: 400,
  InvalidParameterException: 400,
  InvalidS3ObjectException: 400,
  InvalidSignatureException: 400,
  ProvisionedThroughputExceededException: 400,
  ResourceAlreadyExistsException: 400,
  ResourceNotFoundException: 400,
  ServiceQuotaExceededException: 400,
  ThrottlingException: 500,
  UnknownOperationException: 400,
  UnrecognizedClientException: 400,
} as const

export type ErrorName = keyof typeof STATUS

/** An error that the service answers with. */
export class ServiceError extends Error {
  override readonly name: ErrorName
  readonly status: number

  constructor(name: ErrorName, message: string) {
    super(message)
    this.name = name
    this.status = STATUS[name]
  }
}

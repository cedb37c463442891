import sharp from 'sharp'
import { z } from 'zod'
import { ServiceError } from './service-error.ts'

// Lengths, patterns and ranges are from the Amazon Rekognition API Reference. Other fields are ignored.
const CollectionId = z.string().regex(/^[\w.-]{1,255}$/)
const ExternalImageId = z.string().regex(/^[\w.:-]{1,255}$/)
const QualityFilter = z.enum(['NONE', 'AUTO', 'LOW', 'MEDIUM', 'HIGH'])
const MaxFaces = z.int().min(1).max(4096).default(80)
const FaceMatchThreshold = z.number().min(0).max(100).default(80)
const S3Object = z.object({
  Bucket: z.string().regex(/^[\w.-]{3,255}$/),
  Name: z.string().min(1).max(1024),
})
const Image = z
  .object({ Bytes: z.base64().optional(), S3Object: S3Object.optional() })
  .refine(({ Bytes, S3Object }) => (Bytes === undefined) !== (S3Object === undefined), 'Bytes or S3Object')

const REQUESTS = {
  CreateCollection: z.object({ CollectionId }),
  DeleteCollection: z.object({ CollectionId }),
  DescribeCollection: z.object({ CollectionId }),
  ListCollections: z.object({}),
  ListFaces: z.object({
    CollectionId,
    MaxResults: z.int().min(0).max(4096).default(4096),
    NextToken: z.string().optional(),
  }),
  IndexFaces: z.object({
    CollectionId,
    Image,
    ExternalImageId: ExternalImageId.optional(),
    MaxFaces: z.int().min(1).optional(),
    QualityFilter: QualityFilter.default('AUTO'),
  }),
  SearchFacesByImage: z.object({ CollectionId, Image, MaxFaces, FaceMatchThreshold }),
  SearchFaces: z.object({ CollectionId, FaceId: z.uuid(), MaxFaces, FaceMatchThreshold }),
  DetectFaces: z.object({ Image }),
  DeleteFaces: z.object({ CollectionId, FaceIds: z.array(z.uuid()).min(1).max(4096) }),
}

export type RekognitionOperation = keyof typeof REQUESTS
export type RequestOf<Name extends RekognitionOperation> = z.output<(typeof REQUESTS)[Name]>

/** @throws ServiceError InvalidParameterException ("Input parameter violated a constraint") */
export function readRequest<Name extends RekognitionOperation>(
  operation: Name,
  body: Buffer,
): RequestOf<Name> {
  const parsed = REQUESTS[operation].safeParse(JSON.parse(body.toString('utf8')))
  if (parsed.success) return parsed.data as RequestOf<Name>
  const faults = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  throw new ServiceError('InvalidParameterException', `Request has invalid parameters: ${faults.join('; ')}`)
}

/** Reads an object of the bucket; undefined when there is none. */
export type FetchObject = (bucket: string, key: string) => Promise<Buffer | undefined>

// From "Guidelines and quotas in Amazon Rekognition" in the Developer Guide.
const INLINE_MAX_BYTES = 5 * 1024 * 1024
const S3_MAX_BYTES = 15 * 1024 * 1024
const MIN_SIDE = 80

/** The bytes of an image that the service would accept: JPEG or PNG, not too large, not too small.
 *  @throws ServiceError */
export async function readImage(
  { Bytes, S3Object }: z.output<typeof Image>,
  fetchObject: FetchObject | undefined,
): Promise<Buffer> {
  const image = S3Object
    ? await fetchObject?.(S3Object.Bucket, S3Object.Name)
    : Buffer.from(Bytes ?? '', 'base64')
  if (!image)
    throw new ServiceError(
      'InvalidS3ObjectException',
      'Unable to get object metadata from S3. Check object key, region and/or access permissions.',
    )
  if (image.length > (S3Object ? S3_MAX_BYTES : INLINE_MAX_BYTES))
    throw new ServiceError('ImageTooLargeException', 'The input image size exceeds the allowed limit.')
  const header = await sharp(image)
    .metadata()
    .catch(() => undefined)
  if (header?.format !== 'jpeg' && header?.format !== 'png')
    throw new ServiceError('InvalidImageFormatException', 'Request has invalid image format')
  if (Math.min(header.width, header.height) < MIN_SIDE)
    throw new ServiceError('InvalidParameterException', 'Request has invalid parameters')
  return image
}

import type { FastifyRequest } from 'fastify'

/** The beginning of all addresses in an answer, without a slash at its end: PUBLIC_URL, or the address that the request
 *  was sent to. */
export function originOf({ publicUrl }: { publicUrl: string | undefined }, request: FastifyRequest): string {
  return publicUrl ?? `${request.protocol}://${request.host}`
}

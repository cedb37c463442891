import type { FastifyRequest } from 'fastify'

/** Where the addresses in an answer begin, without a slash at its end: PUBLIC_URL, or where the request came to. */
export function originOf({ publicUrl }: { publicUrl: string | undefined }, request: FastifyRequest): string {
  return publicUrl ?? `${request.protocol}://${request.host}`
}

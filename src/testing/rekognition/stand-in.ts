import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { type CollectionsOptions, createCollections } from './collections.ts'
import { type RekognitionOperation, readRequest } from './requests.ts'
import { ServiceError, type ServiceFault } from './service-error.ts'

/** One request that has ended. */
export interface Served {
  operation: string
  /** When it ended, in ms of performance.now(). */
  at: number
  /** Length of the request's body. */
  bytes: number
  /** The error that was answered, or the fault. */
  error: string | undefined
}

export type StandIn = Awaited<ReturnType<typeof startStandInRekognition>>

/** Starts a local stand-in for Amazon Rekognition, for the unmodified AWS SDK. It speaks Rekognition's protocol (AWS
 *  JSON 1.1), supports the operations on face collections, and keeps everything in memory. */
export async function startStandInRekognition(options: CollectionsOptions) {
  const operations = createCollections(options)

  async function answer(body: Buffer, name: RekognitionOperation): Promise<object | ServiceFault> {
    const chosen = standIn.fault(name)
    if (chosen === 'break' || chosen === 'hang') return chosen
    if (chosen && chosen !== 'break-after') throw new ServiceError(chosen, `${chosen}, caused by the test`)
    const operation = operations[name] as (request: object) => Promise<object>
    const result = await operation(readRequest(name, body))
    if (name === 'DeleteFaces' && standIn.keptBecause)
      return { UnsuccessfulFaceDeletions: [{ FaceId: randomUUID(), Reasons: [standIn.keptBecause] }] }
    return chosen ?? result
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const operation = String(request.headers['x-amz-target']).replace('RekognitionService.', '')
    let bytes = 0
    const log = (error?: string) => standIn.served.push({ operation, at: performance.now(), bytes, error })
    const send = (status: number, body: object) =>
      response
        .writeHead(status, {
          'content-type': 'application/x-amz-json-1.1',
          'x-amzn-requestid': randomUUID(),
        })
        .end(JSON.stringify(body))
    try {
      const body = await buffer(request)
      bytes = body.length
      const result = await answer(body, operation as RekognitionOperation)
      log(typeof result === 'string' ? result : undefined)
      if (result === 'hang') return
      if (typeof result === 'string') request.socket.destroy()
      else send(200, result)
    } catch (error) {
      if (request.socket.destroyed) return
      const { name, message, status = 500 } = error as Partial<ServiceError>
      log(error instanceof ServiceError ? name : 'fault of the stand-in')
      // The form is from "Error components" in "Error handling" of the Developer Guide.
      send(status, { __type: name, Code: name, Logref: randomUUID(), Message: message })
    }
  }

  const server = createServer((request, response) => void serve(request, response))
  // Longer than a test may take between two requests.
  server.keepAliveTimeout = 120_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  const standIn = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'AKIDSTANDIN', secretAccessKey: 'a secret of the stand-in' },
    /** In the order of their end. */
    served: [] as Served[],
    /** What a request gets instead of its answer; a test may change it at any time. */
    fault: (_operation: RekognitionOperation): ServiceFault | undefined => undefined,
    /** Why it says that it has kept a face that was to be deleted. */
    keptBecause: undefined as string | undefined,
    /** How often an operation was answered: with this error, or without one when none is given. */
    count: (operation: RekognitionOperation, error?: string): number =>
      standIn.served.filter((one) => one.operation === operation && one.error === error).length,
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
  return standIn
}

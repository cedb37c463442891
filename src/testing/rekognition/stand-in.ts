import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import type { AwsCredentials } from '../s3-requests.ts'
import { type CollectionsOptions, createCollections } from './collections.ts'
import { createQuotas, type Quotas, type ServiceFault } from './faults.ts'
import { isOperation, type RekognitionOperation, readRequest } from './requests.ts'
import { ServiceError } from './service-error.ts'

/** How the service behaves; a test may change it at any time. */
export interface Behaviour {
  quotas: Quotas
  /** How many ms an operation takes in addition to recognising faces. */
  latencyMs: (operation: RekognitionOperation) => number
  fault: (operation: RekognitionOperation) => ServiceFault | undefined
  /** Why it says that it has kept a face that was to be deleted. */
  keptBecause?: string | undefined
}

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

export interface StandIn extends Behaviour {
  endpoint: string
  region: string
  credentials: AwsCredentials
  /** In the order of their end. */
  served: Served[]
  /** How often an operation was answered: with this error, or without one when none is given. */
  count(operation: RekognitionOperation, error?: string): number
  close(): Promise<void>
}

/** Starts a local stand-in for Amazon Rekognition, for the unmodified AWS SDK. It speaks Rekognition's protocol (AWS
 *  JSON 1.1), supports the operations on face collections, and keeps everything in memory. */
export async function startStandInRekognition({
  quotas = {},
  latencyMs = () => 0,
  fault = () => undefined,
  ...options
}: CollectionsOptions & Partial<Behaviour>): Promise<StandIn> {
  const operations = createCollections(options)
  const admit = createQuotas()

  async function answer(body: Buffer, name: string): Promise<object | ServiceFault> {
    if (!isOperation(name)) throw new ServiceError('UnknownOperationException', 'Unknown operation')
    const chosen = standIn.fault(name)
    if (chosen === 'break' || chosen === 'hang') return chosen
    if (chosen && chosen !== 'break-after') throw new ServiceError(chosen, `${chosen}, caused by the test`)
    admit(name, standIn.quotas)
    const latency = standIn.latencyMs(name)
    if (latency > 0) await pause(latency)
    const operation = operations[name] as (request: object) => Promise<object>
    const result = await operation(readRequest(name, body))
    if (name === 'DeleteFaces' && standIn.keptBecause)
      return { UnsuccessfulFaceDeletions: [{ FaceId: randomUUID(), Reasons: [standIn.keptBecause] }] }
    return chosen ?? result
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const operation = /^RekognitionService\.(\w+)$/.exec(String(request.headers['x-amz-target']))?.[1] ?? ''
    let bytes = 0
    const log = (error?: string) => standIn.served.push({ operation, at: performance.now(), bytes, error })
    try {
      const body = await buffer(request)
      bytes = body.length
      const result = await answer(body, operation)
      log(typeof result === 'string' ? result : undefined)
      if (result === 'hang') return
      if (typeof result === 'string') return void request.socket.destroy()
      send(response, 200, result)
    } catch (error) {
      if (request.socket.destroyed) return
      if (!(error instanceof ServiceError)) log('fault of the stand-in')
      else log(error.name)
      const { name, message } = error as Error
      const status = error instanceof ServiceError ? error.status : 500
      // The form is from "Error components" in "Error handling" of the Developer Guide.
      send(response, status, { __type: name, Code: name, Logref: randomUUID(), Message: message })
    }
  }

  const server = createServer((request, response) => void serve(request, response))
  // Longer than a test may take between two requests.
  server.keepAliveTimeout = 120_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  const standIn: StandIn = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'AKIDSTANDIN', secretAccessKey: 'a secret of the stand-in' },
    served: [],
    quotas,
    latencyMs,
    fault,
    count: (operation, error) =>
      standIn.served.filter((one) => one.operation === operation && one.error === error).length,
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
  return standIn
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, {
    'content-type': 'application/x-amz-json-1.1',
    'x-amzn-requestid': randomUUID(),
  })
  response.end(JSON.stringify(body))
}

import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { ConfigError, loadConfig } from './config.ts'
import { type Context, createContext, siteUrlOf } from './context.ts'
import { buildApp } from './http/app.ts'

const running = await start()
let isStopping = false
process.on('SIGTERM', stop)
process.on('SIGINT', stop)

interface Running {
  stop(): Promise<void>
}

async function start(): Promise<Running> {
  try {
    return await run(await createContext(loadConfig()))
  } catch (error) {
    return giveUp(error)
  }
}

async function run(context: Context): Promise<Running> {
  const { config } = context
  let app: FastifyInstance | undefined
  try {
    if (config.role !== 'worker') app = await listen(context)
    const port = app ? (app.server.address() as AddressInfo).port : config.port
    const siteUrl = siteUrlOf(config, port)
    if (config.role !== 'web') await context.jobs.work({ ...context.jobDeps, siteUrl })
    announce(context, app && siteUrl)
  } catch (error) {
    await app?.close()
    await context.close()
    throw error
  }
  return {
    async stop() {
      // First no new requests, then no new jobs, and nothing is let go before those under way have ended.
      await app?.close()
      await context.close()
    },
  }
}

async function listen(context: Context): Promise<FastifyInstance> {
  const { host, port } = context.config
  const app = await buildApp(context.services)
  try {
    await app.listen({ host, port })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE')
      throw new ConfigError(`PORT: ${port} on ${host} is taken by another program. Set PORT to a free one.`)
    if (code === 'EACCES') throw new ConfigError(`PORT: ${port} needs rights this user does not have.`)
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new ConfigError(`HOST: ${host} is no address of this machine (${message}).`)
    throw error
  }
  return app
}

/** The one line for the person at the terminal. */
function announce({ letters }: Context, siteUrl: string | undefined): void {
  const where = siteUrl ? `Inframe is ready at ${siteUrl}` : 'Inframe worker is ready'
  console.log(`${where} (${letters})`)
}

/** Drains and ends the process; a second signal ends it at once. */
async function stop(): Promise<void> {
  if (isStopping) process.exit(1)
  isStopping = true
  try {
    await running.stop()
    process.exit(0)
  } catch (error) {
    console.error(error)
    process.exit(1)
  }
}

function giveUp(error: unknown): never {
  if (error instanceof ConfigError) console.error(error.message)
  else console.error(error instanceof Error ? `Inframe could not start. ${error.message}` : error)
  process.exit(1)
}

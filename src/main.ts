import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { createSetupLink } from './admin/setup-link.ts'
import { otherEngineWarning } from './albums/reindex.ts'
import { ConfigError, loadConfig } from './config.ts'
import { type AppContext, fromConfig, siteUrlOf } from './context.ts'
import { buildApp, buildWorkerApp } from './http/app.ts'
import { NAMED_AT_START, startLines } from './start-lines.ts'

/** Ms after which a stopping process ends in any case. Running requests and running jobs get about half of it each. */
const STOP_LIMIT = 75_000

const running = await start()
let isStopping = false
process.on('SIGTERM', stop)
process.on('SIGINT', stop)

interface Running {
  stop(): Promise<void>
}

async function start(): Promise<Running> {
  try {
    return await run(await fromConfig(loadConfig()))
  } catch (error) {
    return giveUp(error)
  }
}

async function run(context: AppContext): Promise<Running> {
  const { config } = context
  let app: FastifyInstance | undefined
  try {
    app = await listen(context)
    const { port } = app.server.address() as AddressInfo
    context.siteUrl = siteUrlOf(config, port)
    if (config.role !== 'web') await context.jobs.work(context)
    await announce(context, config.role === 'worker' ? `http://localhost:${port}` : context.siteUrl)
    const others = await otherEngineWarning(context.db, config.faces.kind)
    if (others) context.log.warn(others)
  } catch (error) {
    await app?.close()
    await context.close()
    throw error
  }
  return {
    async stop() {
      setTimeout(() => {
        console.error(`Inframe did not stop within ${STOP_LIMIT / 1000} s and is ended now.`)
        process.exit(1)
      }, config.drainDelay + STOP_LIMIT).unref()
      context.readiness.stop()
      // Requests still arrive until every balancer has seen that this process is not ready.
      if (config.role !== 'worker') await pause(config.drainDelay)
      // First the server ends its requests, then the queues end their jobs. Only then everything else is closed.
      await app.close()
      await context.close()
    },
  }
}

async function listen(context: AppContext): Promise<FastifyInstance> {
  const { host, port } = context.config
  const app = context.config.role === 'worker' ? buildWorkerApp(context) : await buildApp(context)
  try {
    await app.listen({ host, port })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE')
      throw new ConfigError(`PORT: ${port} on ${host} is taken by another program. Set PORT to a free one.`)
    if (code === 'EACCES')
      throw new ConfigError(`PORT: ${port} needs rights this user does not have. Use a port above 1023.`)
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new ConfigError(`HOST: ${host} is not an address of this machine (${message}).`)
    throw error
  }
  return app
}

/** Prints where Inframe runs, what it still waits for and, where it serves only this machine, a set-up link. */
async function announce({ config, letters, readiness, db }: AppContext, url: string): Promise<void> {
  const dependencies = await readiness.dependencies(NAMED_AT_START)
  const setupLink = config.maintainerAccess.kind === 'setup-link' ? await createSetupLink(db, url) : undefined
  console.log(startLines({ role: config.role, url, letters, dependencies, setupLink }).join('\n'))
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

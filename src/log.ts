import { type Logger, pino } from 'pino'

export type Log = Logger

/** Structured lines on standard error; standard output keeps the words meant for the person at the terminal.
 *  Nothing that identifies a visitor is ever passed to it: no address, token, password, name or mail. */
export function createLog(level: string): Log {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination(2))
}

import type { DependencyState } from './http/readiness.ts'

/** What may be unavailable at the start without ending it, and what that means. The first needs to be available before
 *  the process is ready. */
const MEANING = {
  storage: 'Until the photo storage is available again, photos can be neither stored nor shown.',
  mail: 'Until the mail server is available again, letters wait.',
}
export const NAMED_AT_START = Object.keys(MEANING)

/** What the person at the terminal reads when a process has started.
 *  @param letters where letters go
 *  @param dependencies those of NAMED_AT_START */
export function startLines(start: {
  role: 'web' | 'worker' | 'all'
  url: string
  letters: string
  dependencies: Record<string, DependencyState>
  setupLink: string | undefined
}): string[] {
  const { role, url, letters, dependencies, setupLink } = start
  const who = role === 'worker' ? 'Inframe worker' : 'Inframe'
  const runs = dependencies.storage?.ok === false ? 'runs, but is not ready yet, at' : 'is ready at'
  const faults = Object.entries(MEANING).flatMap(([name, meaning]) => {
    const state = dependencies[name]
    return state?.ok === false ? [`${state.message?.replace(/\.$/, '')}. ${meaning}`] : []
  })
  return [
    `${who} ${runs} ${url} (${letters})`,
    ...faults,
    ...(setupLink ? [`To set up Gmail, open this link. It works once: ${setupLink}`] : []),
  ]
}

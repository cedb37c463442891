import { useEffect, useEffectEvent, useRef, useState } from 'react'

export interface Run<State> {
  /** Is aborted when another run begins, and when the visitor stops it or leaves the page. */
  signal: AbortSignal
  /** Says how far it is. Does nothing once the run has ended. */
  show(state: State): void
}

/** How far something is that takes a while, such as preparing a zip. There is one run at a time, and none after the visitor
 *  has left the page.
 *  @param needsNoRun what is still true when the visitor comes back to a page that was only hidden */
export function useRun<State>(needsNoRun: (state: State) => boolean = () => false) {
  /** Undefined while there is none. */
  const [state, setState] = useState<State>()
  const leaving = useRef(new AbortController())
  const leave = useEffectEvent(() => {
    leaving.current.abort()
    if (state !== undefined && !needsNoRun(state)) setState(undefined)
  })
  useEffect(() => () => leave(), [])

  return {
    state,
    /** Begins one, which ends the one before. */
    begin(): Run<State> {
      leaving.current.abort()
      leaving.current = new AbortController()
      const { signal } = leaving.current
      return { signal, show: (next) => signal.aborted || setState(next) }
    },
    stop() {
      leaving.current.abort()
      setState(undefined)
    },
  }
}

import {
  type ComponentType,
  createElement,
  type FunctionComponent,
  type ReactNode,
  Suspense,
  use,
  useEffect,
  useEffectEvent,
  useState,
} from 'react'
import { loadCode } from './load-code.ts'
import { whenIdle } from './when-idle.ts'

export interface OnDemand<Props> extends FunctionComponent<Props> {
  /** Loads its code. It rejects when the code does not come. */
  preload(): Promise<void>
}

/** What makes each part whose code did not come try again. */
const failed = new Set<() => void>()

/** Lets the parts whose code did not come try again when they are drawn the next time. */
export function forgetMissingCode(): void {
  for (const forget of failed) forget()
  failed.clear()
}

/** A component whose code is loaded when it is needed, or before: then it appears at once. Like `lazy` it suspends.
 *  @param load imports the module of which the component is the default export */
export function onDemand<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): OnDemand<Props> {
  let loaded: ComponentType<Props> | undefined
  let loading: Promise<void> | undefined

  async function loadNow(): Promise<void> {
    try {
      loaded = (await loadCode(load)).default
    } catch (error) {
      // The promise stays: a part that is drawn again must not ask for its code again and again.
      failed.add(() => (loading = undefined))
      throw error
    }
  }
  function preload(): Promise<void> {
    loading ??= loadNow()
    return loading
  }
  function Part(props: Props) {
    if (!loaded) use(preload())
    return loaded && createElement(loaded, props)
  }
  return Object.assign(Part, { preload })
}

/** What takes the place of code that does not come, for a part without which the page is still useful. */
export const orNothing = () => ({ default: () => null })

/** Loads the code of components as soon as the page is idle, so that nobody waits for it later.
 *  @param isWanted false while nobody will need it */
export function usePreload(parts: readonly Pick<OnDemand<never>, 'preload'>[], isWanted = true): void {
  const preload = useEffectEvent(() => {
    // The visitor who needs it tries again, and sees the failure.
    for (const part of parts) part.preload().catch(() => {})
  })
  useEffect(() => (isWanted ? whenIdle(preload) : undefined), [isWanted])
}

/** Shows its children when the page is idle, for what nobody waits for. */
export function Later({ children }: { children: ReactNode }): ReactNode {
  const [isTime, setIsTime] = useState(false)
  useEffect(() => whenIdle(() => setIsTime(true)), [])
  return isTime && createElement(Suspense, null, children)
}

import { type PointerEvent, type SyntheticEvent, useEffect, useRef } from 'react'

const LONG_MS = 450
/** A finger that moves more than this many CSS pixels scrolls. */
const STILL_WITHIN = 10

/** The handlers of an element that a finger can press for a while. The click that a browser makes of it, and the menu that
 *  it opens, are suppressed. */
export function useLongPress(onLongPress: () => void) {
  const press = useRef<{ timer: number; x: number; y: number; isLong: boolean }>(undefined)
  useEffect(() => () => window.clearTimeout(press.current?.timer), [])

  function end(): void {
    window.clearTimeout(press.current?.timer)
  }

  function begin({ pointerType, clientX: x, clientY: y }: PointerEvent): void {
    end()
    press.current = undefined
    if (pointerType !== 'touch') return
    const timer = window.setTimeout(() => {
      press.current!.isLong = true
      onLongPress()
    }, LONG_MS)
    press.current = { timer, x, y, isLong: false }
  }

  function move({ clientX, clientY }: PointerEvent): void {
    const { x = 0, y = 0 } = press.current ?? {}
    if (Math.hypot(clientX - x, clientY - y) > STILL_WITHIN) end()
  }

  function suppressAfterLong(event: SyntheticEvent): void {
    if (press.current?.isLong) {
      event.preventDefault()
      event.stopPropagation()
    }
  }

  return {
    onPointerDown: begin,
    onPointerMove: move,
    onPointerUp: end,
    onPointerCancel: end,
    onClickCapture: suppressAfterLong,
    // Android opens a link's menu for a long press. A mouse's menu stays.
    onContextMenu: (event: SyntheticEvent) => {
      if (press.current) event.preventDefault()
    },
  }
}

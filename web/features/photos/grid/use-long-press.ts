import { type PointerEvent, type SyntheticEvent, useRef } from 'react'

const LONG_MS = 450

/** The handlers of an element that a finger can press for a while. A finger that scrolls cancels the press. The click that a
 *  browser makes of it, and the menu that it opens, are suppressed. */
export function useLongPress(onLongPress: () => void) {
  const press = useRef({ timer: 0, isTouch: false, isLong: false })
  const end = () => window.clearTimeout(press.current.timer)

  return {
    onPointerDown({ pointerType }: PointerEvent) {
      end()
      const isTouch = pointerType === 'touch'
      press.current = { timer: 0, isTouch, isLong: false }
      if (isTouch)
        press.current.timer = window.setTimeout(() => {
          press.current.isLong = true
          onLongPress()
        }, LONG_MS)
    },
    onPointerUp: end,
    onPointerCancel: end,
    onClickCapture(event: SyntheticEvent) {
      if (!press.current.isLong) return
      event.preventDefault()
      event.stopPropagation()
    },
    // Android opens a link's menu for a long press. A mouse's menu stays.
    onContextMenu(event: SyntheticEvent) {
      if (press.current.isTouch) event.preventDefault()
    },
  }
}

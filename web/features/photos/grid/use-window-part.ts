import { type RefObject, useLayoutEffect, useState } from 'react'
import type { RowOptions } from './rows.ts'

/** The sizes of a grid, and which part of it is near the window: from its top, in pixels. */
export interface WindowPart extends RowOptions {
  from: number
  to: number
}

/** Says which part of a grid is at most three quarters of a window above or below the window, in steps of a quarter. It
 *  changes when anything is scrolled, or when the grid or the page changes its size.
 *  @param grid has `display: grid`, and says how many columns there are
 *  @returns undefined in the first render only */
export function useWindowPart(grid: RefObject<HTMLElement | null>): WindowPart | undefined {
  const [part, setPart] = useState<WindowPart>()
  useLayoutEffect(() => {
    const leaving = new AbortController()
    const look = () => {
      const now = partOf(grid.current!)
      setPart((former) => (JSON.stringify(former) === JSON.stringify(now) ? former : now))
    }
    look()
    const sizes = new ResizeObserver(look)
    // What is above the grid may become higher or lower.
    for (const element of [grid.current!, document.body]) sizes.observe(element)
    const options = { capture: true, passive: true, signal: leaving.signal }
    document.addEventListener('scroll', look, options)
    window.addEventListener('resize', look, options)
    return () => {
      sizes.disconnect()
      leaving.abort()
    }
  }, [grid])
  return part
}

function partOf(grid: HTMLElement): WindowPart {
  const { columnGap, gridTemplateColumns } = getComputedStyle(grid)
  const { top, width } = grid.getBoundingClientRect()
  const step = window.innerHeight / 4
  const from = (Math.floor(-top / step) - 3) * step
  const columns = gridTemplateColumns.split(' ').length
  return { columns, width, gap: Number.parseFloat(columnGap), from, to: from + 11 * step }
}

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
    const element = grid.current!
    const look = () =>
      setPart((former) => {
        const now = partOf(element)
        return former && isSame(former, now) ? former : now
      })
    look()
    const sizes = new ResizeObserver(look)
    sizes.observe(element)
    // What is above the grid may become higher or lower.
    sizes.observe(document.body)
    const options = { capture: true, passive: true }
    document.addEventListener('scroll', look, options)
    window.addEventListener('resize', look)
    return () => {
      sizes.disconnect()
      document.removeEventListener('scroll', look, options)
      window.removeEventListener('resize', look)
    }
  }, [grid])
  return part
}

function partOf(grid: HTMLElement): WindowPart {
  const { columnGap, gridTemplateColumns } = getComputedStyle(grid)
  const { top, width } = grid.getBoundingClientRect()
  const { innerHeight } = window
  const step = innerHeight / 4
  const from = (Math.floor(-top / step) - 3) * step
  return {
    columns: gridTemplateColumns.split(' ').length,
    width,
    gap: Number.parseFloat(columnGap),
    from,
    to: from + 11 * step,
  }
}

function isSame(one: WindowPart, other: WindowPart): boolean {
  return (Object.keys(one) as (keyof WindowPart)[]).every((key) => one[key] === other[key])
}

import { type RefObject, useLayoutEffect, useState } from 'react'

/** The part of a long grid that is near the window, and the sizes of the grid's tiles in pixels. */
export interface RowsInView {
  columns: number
  /** Of a tile. */
  width: number
  height: number
  /** Between two tiles. */
  gap: number
  /** Numbers of rows from 0. There may be fewer rows. */
  first: number
  last: number
}

/** Says which rows of a grid are at most one window height above or below the window. They change when anything is
 *  scrolled, or when the grid or the page changes its size. All rows are equally high.
 *  @param grid has `display: grid` and says how many columns there are; all of them are equally wide
 *  @param aspect a tile's width divided by its height
 *  @returns undefined in the first render only */
export function useRowsInView(grid: RefObject<HTMLElement | null>, aspect: number): RowsInView | undefined {
  const [rows, setRows] = useState<RowsInView>()
  useLayoutEffect(() => {
    const element = grid.current!
    const look = () =>
      setRows((former) => {
        const now = rowsNear(element, aspect)
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
  }, [grid, aspect])
  return rows
}

function rowsNear(grid: HTMLElement, aspect: number): RowsInView {
  const { columnGap, gridTemplateColumns } = getComputedStyle(grid)
  const { top, width: all } = grid.getBoundingClientRect()
  const gap = Number.parseFloat(columnGap)
  const columns = gridTemplateColumns.split(' ').length
  const width = (all - gap * (columns - 1)) / columns
  const height = width / aspect
  const rowAt = (y: number) => Math.max(0, Math.floor((y - top) / (height + gap)))
  const { innerHeight } = window
  return { columns, width, height, gap, first: rowAt(-innerHeight), last: rowAt(2 * innerHeight) }
}

function isSame(one: RowsInView, other: RowsInView): boolean {
  return (Object.keys(one) as (keyof RowsInView)[]).every((part) => one[part] === other[part])
}

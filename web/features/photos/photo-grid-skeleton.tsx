import { Skeleton } from '../../ui/skeleton.tsx'

/** The classes of the grid, by its columns on a phone. */
export const GRIDS = {
  1: 'grid grid-cols-1 gap-3 sm:grid-cols-2 md:grid-cols-3 lg:grid-cols-4',
  2: 'grid grid-cols-2 gap-2 sm:grid-cols-3 sm:gap-3 lg:grid-cols-4',
}
/** Photos of the first rows, which a screen shows without scrolling. */
const SEEN_AT_ONCE = 8

/** What the grid looks like before the photos are known. */
export function PhotoGridSkeleton({ columns = 2 }: { columns?: keyof typeof GRIDS }) {
  return (
    <div className={GRIDS[columns]}>
      {Array.from({ length: SEEN_AT_ONCE }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all alike, and their number never changes.
        <Skeleton key={index} className="aspect-[4/3] rounded-lg" />
      ))}
    </div>
  )
}

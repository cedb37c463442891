import { Skeleton } from '../../ui/skeleton.tsx'

/** The classes of the grid, which says how many columns there are. */
export const GRID = 'grid grid-cols-1 gap-2 min-[20rem]:grid-cols-2 sm:grid-cols-3 sm:gap-3 lg:grid-cols-4'
/** Photos of the first rows, which a screen shows without scrolling. */
const SEEN_AT_ONCE = 8

/** What the grid looks like before the photos are known. */
export function PhotoGridSkeleton() {
  return (
    <div className={GRID}>
      {Array.from({ length: SEEN_AT_ONCE }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all alike, and their number never changes.
        <Skeleton key={index} className="aspect-[4/3] rounded-lg" />
      ))}
    </div>
  )
}

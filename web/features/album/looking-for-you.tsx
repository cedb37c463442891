import { remembered as texts } from '../../../src/texts/english/search.ts'
import { PhotoGridSkeleton } from '../photos/photo-grid-skeleton.tsx'
import { COLUMNS_ON_PHONES } from './columns.ts'

/** While the photos of a remembered visitor are searched for. */
export default function LookingForYou() {
  return (
    <section aria-busy="true">
      <div role="status">
        <h2 className="mb-5 text-2xl font-bold tracking-tight">{texts.looking}</h2>
      </div>
      <PhotoGridSkeleton columns={COLUMNS_ON_PHONES} />
    </section>
  )
}

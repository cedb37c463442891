import { album as texts } from '../../../../src/texts/english.ts'
import { Page } from '../../../ui/page.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'

/** Shown until it is known what the visitor of an album may see. */
export function Opening() {
  return (
    <Page width="form">
      <div role="status">
        <h1 className="sr-only">{texts.opening}</h1>
        <Skeleton className="mx-auto mb-4 h-10 w-3/4" />
        <Skeleton className="h-80 rounded-xl" />
      </div>
    </Page>
  )
}

import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Progress } from '../../../src/contract/albums.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LockIcon, SearchIcon } from '../../ui/icons.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { SelfiePicker } from '../photos/selfie-picker.tsx'
import { SelfieWaitNotice } from '../photos/selfie-wait-notice.tsx'
import { FoundPhotos } from './found-photos.tsx'
import { SearchableNotice } from './searchable-photos.tsx'
import { type AlbumEvents, useAlbumSearch } from './use-album-search.ts'

export interface SelfieSearchProps extends AlbumEvents {
  albumName: string
  /** How many photos can be found. */
  progress: Progress
  selfie: File | null
  onSelfieChange: (selfie: File | null) => void
  /** What is beside the search, or below its results. */
  aside: ReactNode
}

export function SelfieSearch(props: SelfieSearchProps) {
  const { albumName, progress, selfie, onSelfieChange, aside } = props
  const search = useAlbumSearch(albumName, progress.photosIndexedToRekognition, props)
  const { photos, isSearching, hasFailed } = search
  const [isBack, setIsBack] = useState(false)
  const submit = useRef<HTMLButtonElement>(null)

  // A disabled button loses the focus. After a failure, or when the visitor has cancelled, it is pressed again.
  useEffect(() => {
    if (hasFailed && document.activeElement === document.body) submit.current?.focus()
  }, [hasFailed])

  function searchAgain() {
    setIsBack(true)
    onSelfieChange(null)
    search.forget()
  }

  const coverage = (
    <SearchableNotice
      progress={progress}
      searched={search.searched}
      isSearching={search.isRenewing}
      onSearchRest={search.renew}
    />
  )

  if (photos) {
    const again = (
      <Button look={photos.length > 0 ? 'secondary' : 'primary'} onClick={searchAgain}>
        <SearchIcon />
        Search Again
      </Button>
    )
    return (
      <div className="space-y-10">
        {coverage}
        {photos.length > 0 ? (
          <FoundPhotos
            photos={photos}
            total={search.total}
            loadMore={search.loadMore}
            isLoadingMore={search.isLoadingMore}
            issued={search.issued}
            isRenewing={search.isRenewing}
            onFail={search.reportFailure}
            onRetry={search.renew}
            action={again}
          />
        ) : (
          <EmptyState
            icon={<SearchIcon className="size-10" />}
            title="No Photos Found"
            takesFocus
            action={again}
          >
            We did not find you in this album. Try a clearer selfie: face the camera, in good light, on your
            own.
          </EmptyState>
        )}
        <div className="mx-auto max-w-read">{aside}</div>
      </div>
    )
  }

  return (
    <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] lg:gap-8">
      <section aria-label="Find your photos" className="space-y-4">
        {coverage}
        <div role="status" className="empty:m-0">
          {search.waiting ? (
            <SelfieWaitNotice {...search.waiting} onCancel={search.stopWaiting} />
          ) : (
            isSearching && <span className="sr-only">Searching the album for you</span>
          )}
        </div>
        {isSearching && !search.waiting ? (
          <Searching />
        ) : (
          <SelfiePicker
            selfie={selfie}
            disabled={isSearching}
            onChange={onSelfieChange}
            takesFocus={isBack && !isSearching}
          />
        )}
        <Button
          ref={submit}
          size="lg"
          className="w-full"
          busy={isSearching}
          disabled={!selfie || isSearching}
          onClick={() => selfie && search.start(selfie)}
        >
          {isSearching ? 'Searching...' : 'Search Photos'}
        </Button>
        <p className="flex items-start gap-2 text-sm text-ink-soft">
          <LockIcon className="mt-0.5 size-4 shrink-0" />
          Your selfie is used for this one search and deleted after processing. If others are in it, the
          largest face is searched for.
        </p>
      </section>
      {aside}
    </div>
  )
}

function Searching() {
  return (
    <div className="grid grid-cols-3 gap-2.5">
      {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
        <Skeleton key={key} className="aspect-square rounded-lg" />
      ))}
    </div>
  )
}

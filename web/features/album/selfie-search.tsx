import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { RequestFailure } from '../../lib/multipart.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LockIcon, SearchIcon } from '../../ui/icons.tsx'
import { SelfiePicker } from '../../ui/selfie-picker.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast-store.ts'
import { FoundPhotos } from './found-photos.tsx'
import { searchAlbum, searchFailure } from './search-album.ts'

export interface SelfieSearchProps {
  albumName: string
  /** What stands beside the search, or below its results. */
  aside: ReactNode
  /** The session ended meanwhile; the password is needed again. */
  onSessionEnded: () => void
}

export function SelfieSearch({ albumName, aside, onSessionEnded }: SelfieSearchProps) {
  const [selfie, setSelfie] = useState<File | null>(null)
  const search = useMutation({
    mutationFn: (photo: File) => searchAlbum(albumName, photo),
    onError: (error) => {
      toast(searchFailure(error))
      if (error instanceof RequestFailure && error.status === 401) onSessionEnded()
    },
  })

  function searchAgain() {
    setSelfie(null)
    search.reset()
  }

  if (search.data) {
    const { photos } = search.data
    const again = (
      <Button look={photos.length > 0 ? 'secondary' : 'primary'} onClick={searchAgain}>
        <SearchIcon />
        Search Again
      </Button>
    )
    return (
      <div className="space-y-10">
        {photos.length > 0 ? (
          <FoundPhotos photos={photos} action={again} />
        ) : (
          <EmptyState icon={<SearchIcon className="size-10" />} title="No Photos Found" action={again}>
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
        {search.isPending ? <Searching /> : <SelfiePicker selfie={selfie} onChange={setSelfie} />}
        <Button
          size="lg"
          className="w-full"
          busy={search.isPending}
          disabled={!selfie || search.isPending}
          onClick={() => selfie && search.mutate(selfie)}
        >
          {search.isPending ? 'Searching...' : 'Search Photos'}
        </Button>
        <p className="flex items-start gap-2 text-sm text-ink-soft">
          <LockIcon className="mt-0.5 size-4" />
          Your selfie is used for this one search and deleted after processing.
        </p>
      </section>
      {aside}
    </div>
  )
}

function Searching() {
  return (
    <div role="status" aria-label="Searching the album for you" className="grid grid-cols-3 gap-2.5">
      {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
        <Skeleton key={key} className="aspect-square rounded-lg" />
      ))}
    </div>
  )
}

import { useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense, useRef, useState } from 'react'
import { PHOTO_KINDS, type PhotoKind } from '../../../../src/contract/photo-kinds.ts'
import { photoKinds, deskPhotos as texts } from '../../../../src/texts/english/desk/desk-photos.ts'
import { formatMoment } from '../../../lib/format.ts'
import { lazyPart } from '../../../lib/lazy-part.ts'
import { useEnded } from '../../../lib/use-ended.ts'
import { trpc } from '../../../trpc.ts'
import { PhotosIcon } from '../../../ui/action-icons.tsx'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { FailureNotice } from '../../../ui/loading.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PhotoGridSkeleton } from '../../photos/photo-grid-skeleton.tsx'
import { LoadedPages } from '../../photos/photo-pages.tsx'
import { pathOf } from '../../photos/photo-path.ts'
import { type Chosen, useChosen } from '../../photos/take-home/take-home.tsx'
import type { SectionProps } from '../sections.ts'
import { AboutPhoto, UseAsCover } from './about-photo.tsx'
import { type Change, ChangePhotos, type Receipt } from './change-photos.tsx'
import { Choice } from './choice.tsx'
import {
  type ListedPhoto,
  type OwnerPhotos,
  type PhotoFilter,
  useOwnerPhotos,
  withKind,
} from './use-owner-photos.ts'

const CameraClocks = lazyPart(() => import('./cameras.tsx'))

const KINDS = [
  ['all', texts.all],
  ...PHOTO_KINDS.map((kind) => [kind, photoKinds[kind]] as const),
  ['partly', texts.partly],
] as const
/** The number of them. */
const COUNTED = {
  all: 'photosStored',
  searchable: 'photosSearchable',
  nobody: 'photosOfNobody',
  unclear: 'photosUnclear',
  hidden: 'photosHidden',
  given_up: 'photosGivenUp',
  waiting: 'photosWaiting',
  partly: 'photosPartlySearchable',
} as const

/** All photos of the album for its organiser, who chooses some and changes them. */
export default function Photos(props: SectionProps) {
  const { id } = props.album
  const filter: PhotoFilter = useSearch({ from: '/data/manage/$albumName/{-$section}' })
  const navigate = useNavigate({ from: '/manage/$albumName/{-$section}' })
  const known = trpc.albums.cameras.useQuery({ id }, { staleTime: 0 })
  const list = useOwnerPhotos(id, filter)
  const [areFiltersOpen, setFiltersOpen] = useState(false)
  const [areClocksOpen, setClocksOpen] = useState(false)
  // While a call is made again, its error may be of a session before.
  useEnded(list.error ?? (!known.isFetching && known.error), props)
  const { cameras = [], hours = [] } = known.data ?? {}
  const choose = (news: PhotoFilter) =>
    void navigate({ search: (former) => ({ ...former, ...news }), replace: true, resetScroll: false })

  return (
    <>
      <div className={`mb-5 flex gap-3 ${cameras.length > 0 ? '' : 'sm:hidden'}`}>
        <Button
          look="secondary"
          className="sm:hidden"
          aria-expanded={areFiltersOpen}
          onClick={() => setFiltersOpen(!areFiltersOpen)}
        >
          {texts.filter(Object.values(filter).filter((one) => one && one !== 'all').length)}
        </Button>
        {cameras.length > 0 && (
          <Button
            look="secondary"
            aria-expanded={areClocksOpen}
            onClick={() => setClocksOpen(!areClocksOpen)}
          >
            {texts.clocks}
          </Button>
        )}
      </div>
      <div className={`mb-5 grid gap-4 sm:grid-cols-3 ${areFiltersOpen ? '' : 'max-sm:hidden'}`}>
        <Choice
          label={texts.which}
          value={filter.which ?? 'all'}
          options={KINDS}
          onChange={(which) => choose({ which: KINDS.find(([kind]) => kind === which)![0] })}
        />
        {(cameras.length > 0 || filter.camera) && (
          <Choice
            label={texts.camera}
            value={filter.camera ?? ''}
            options={[['', texts.anyCamera], ...cameras.map(({ camera }) => [camera, camera] as const)]}
            onChange={(camera) => choose({ camera: camera || undefined })}
          />
        )}
        {(hours.length > 1 || filter.hour) && (
          <Choice
            label={texts.hour}
            value={filter.hour ?? ''}
            options={[
              ['', texts.anyHour],
              ...hours.map((hour) => [hour, formatMoment(`${hour}:00`)] as const),
            ]}
            onChange={(hour) => choose({ hour: hour || undefined })}
          />
        )}
      </div>
      {areClocksOpen && (
        <Suspense>
          <CameraClocks id={id} cameras={cameras} onShifted={list.renew} />
        </Suspense>
      )}
      <List key={JSON.stringify(filter)} album={props.album} list={list} filter={filter} />
    </>
  )
}

interface ListProps {
  album: SectionProps['album']
  list: OwnerPhotos
  filter: PhotoFilter
}

function List({ album, list, filter: { which = 'all', camera, hour } }: ListProps) {
  const { photos, hasMore, firstError } = list
  const chosen = useRanges(useChosen(), photos ?? [])
  const [receipt, setReceipt] = useState<Receipt>()
  const coverage = trpc.albums.coverage.useQuery({ id: album.id }).data
  const known = camera || hour ? undefined : coverage?.[COUNTED[which]]
  const total = hasMore ? Math.max(known ?? 0, list.photos!.length + 1) : (photos?.length ?? 0)

  function changed(some: readonly ListedPhoto[], to: Change): void {
    setReceipt(undefined)
    const ids = new Set(some.map((photo) => photo.id))
    list.change(ids, (photo) => {
      const kind = to === 'shown' ? shownAgain(photo) : 'hidden'
      return to !== 'deleted' && which === 'all' ? [withKind(photo, kind)] : []
    })
    chosen.leave()
  }

  return (
    <>
      {receipt && (
        <Notice tone="success" className="mb-5" title={receipt.title}>
          {receipt.text}
        </Notice>
      )}
      <FailureNotice error={firstError} className="mb-5" title={texts.notLoaded} onRetry={list.renew} />
      {!photos && !firstError && (
        <div role="status">
          <p className="sr-only">{texts.loading}</p>
          <PhotoGridSkeleton />
        </div>
      )}
      {photos?.length === 0 && (
        <EmptyState icon={<PhotosIcon className="size-10" />} title={texts.none}>
          {texts.noneText}
        </EmptyState>
      )}
      {photos && photos.length > 0 && (
        <>
          <p role="status" className="mb-3 text-ink-soft tabular-nums">
            {known !== undefined ? texts.of(known) : texts.loaded(photos.length, hasMore)}
          </p>
          <LoadedPages
            list={list}
            photos={photos}
            total={total}
            // It would say how many there are.
            offersAll={!hasMore || known !== undefined}
            chosen={chosen}
            notLoaded={texts.notLoaded}
            more={
              <ChangePhotos
                album={album}
                photos={photos.filter(chosen.has)}
                onChanged={changed}
                onStayHidden={list.renew}
                onDeleted={setReceipt}
              />
            }
            about={(photo) => (
              <>
                <UseAsCover album={album} photo={photo} />
                <AboutPhoto id={album.id} photo={photo} />
              </>
            )}
          />
        </>
      )}
    </>
  )
}

/** As far as the page knows. */
function shownAgain({ faces, reason }: ListedPhoto): PhotoKind {
  if (faces === null) return reason === null ? 'waiting' : 'given_up'
  return faces > 0 ? 'searchable' : 'nobody'
}

/** Chooses all photos from the last one that was chosen to another one, for a click with the shift key. */
function useRanges(chosen: Chosen, photos: readonly ListedPhoto[]): Chosen {
  const last = useRef<string>(undefined)
  const placeOf = (path: string | undefined) => photos.findIndex((photo) => pathOf(photo) === path)
  return {
    ...chosen,
    toggle(photo, isRange) {
      const places = [placeOf(last.current), placeOf(pathOf(photo))] as const
      last.current = pathOf(photo)
      if (!isRange || places[0] === -1) return chosen.toggle(photo)
      const range = photos.slice(Math.min(...places), Math.max(...places) + 1)
      chosen.choose([...photos.filter(chosen.has), ...range])
    },
  }
}

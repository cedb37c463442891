import { Link } from '@tanstack/react-router'
import { lookAsGuest as texts } from '../../../../src/texts/english/desk.ts'

/** Tells the owner that this is what a guest sees. */
export default function GuestBar({ albumName }: { albumName: string }) {
  return (
    <aside className="sticky top-16 z-30 border-b border-line bg-accent-wash">
      <div className="mx-auto flex max-w-page flex-wrap items-center justify-between gap-x-4 px-4 sm:px-6">
        <p className="py-2 text-sm">{texts.bar}</p>
        <Link
          to="/manage/$albumName/{-$section}"
          params={{ albumName }}
          className="inline-flex min-h-11 items-center font-semibold underline underline-offset-4"
        >
          {texts.back}
        </Link>
      </div>
    </aside>
  )
}

import { Link } from '@tanstack/react-router'
import { guestBar } from '../../../../src/texts/english/organiser.ts'

/** Tells the owner that this is what a guest sees. */
export default function GuestBar({ albumName }: { albumName: string }) {
  return (
    <aside className="sticky bottom-3 z-30 mx-3 flex flex-wrap items-center justify-between gap-x-3 rounded-lg border border-line bg-accent-wash px-3 text-sm shadow-float">
      <p className="py-2">{guestBar.text}</p>
      <Link
        to="/manage/$albumName/{-$section}"
        params={{ albumName }}
        className="inline-flex min-h-11 items-center font-semibold underline underline-offset-4"
      >
        {guestBar.back}
      </Link>
    </aside>
  )
}

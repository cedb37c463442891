import { useEffect, useState } from 'react'
import { formatDuration } from '../lib/format.ts'

/** The time until something happens by itself: '60 seconds', then '59 seconds' … A screen reader reads it once, with the
 *  text around it. */
export function Countdown({ seconds }: { seconds: number }) {
  const [left, setLeft] = useState(seconds)
  useEffect(() => {
    const end = Date.now() + seconds * 1000
    const show = () => setLeft(Math.max(1, Math.round((end - Date.now()) / 1000)))
    const timer = setInterval(show, 1000)
    return () => clearInterval(timer)
  }, [seconds])
  return (
    <span role="timer" className="whitespace-nowrap tabular-nums">
      {formatDuration(left)}
    </span>
  )
}

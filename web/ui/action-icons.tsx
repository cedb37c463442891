/** Icons of what one does with photos and links. The pages that come before, where a guest enters, load without them. */
import { drawn } from './icons.tsx'
import { box, circle } from './more-icons.tsx'

export const LinkIcon = drawn(
  'M10 14a4 4 0 0 0 5.7 0l3-3a4 4 0 1 0-5.7-5.7l-.9.9M14 10a4 4 0 0 0-5.7 0l-3 3a4 4 0 1 0 5.7 5.7l.9-.9',
)
export const FolderIcon = drawn(
  'M3 7a2 2 0 0 1 2-2h4l2.4 2.5H19a2 2 0 0 1 2 2V17a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2Z',
)
export const MailIcon = drawn(box(3, 5.5, 18, 13.5, 2), 'm4 7.5 8 6 8-6')
export const ChatIcon = drawn('M12 4a8 8 0 0 0-6.9 12L4 20l4.2-1A8 8 0 1 0 12 4Z', 'M9 10.5h6m-6 3h3.5')
export const NetworkIcon = drawn(
  circle(12, 6, 2.6),
  circle(5.5, 17.5, 2.6),
  circle(18.5, 17.5, 2.6),
  'm10.7 8.3-3.9 6.9m6.5-6.9 3.9 6.9M8.2 17.5h7.6',
)
export const ShareIcon = drawn(
  'M12 14.5V3.5m0 0L8 7.5m4-4 4 4M7.5 11H6a1.5 1.5 0 0 0-1.5 1.5v6.5A1.5 1.5 0 0 0 6 20.5h12a1.5 1.5 0 0 0 1.5-1.5v-6.5A1.5 1.5 0 0 0 18 11h-1.5',
)
export const OpenIcon = drawn(
  'M13.5 4H20v6.5M20 4l-8.5 8.5M18 14v4a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2h4',
)
export const ChevronIcon = drawn('m9 4.5 7.5 7.5L9 19.5')
export const DownloadIcon = drawn('M12 4v11m0 0-4.5-4.5M12 15l4.5-4.5M5 20h14')
export const CopyIcon = drawn(
  box(8.5, 8.5, 12, 12, 2),
  'M15.5 8.5V5.5a2 2 0 0 0-2-2h-8a2 2 0 0 0-2 2v8a2 2 0 0 0 2 2h3',
)
export const PhotosIcon = drawn(
  box(3, 6, 15, 15, 2.5),
  'M7 3h11a3 3 0 0 1 3 3v11M3 17l4-4 3.5 3.5L13 14l5 5',
  circle(13, 10.4, 1.3),
)

/** Icons that neither the landing page nor the frame of all pages shows, so that those load without them. */
import { Icon, type IconProps } from './icons.tsx'

export const LinkIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M10 14a4 4 0 0 0 5.7 0l3-3a4 4 0 1 0-5.7-5.7l-.9.9M14 10a4 4 0 0 0-5.7 0l-3 3a4 4 0 1 0 5.7 5.7l.9-.9" />
  </Icon>
)

export const SearchIcon = (props: IconProps) => (
  <Icon {...props}>
    <circle cx="11" cy="11" r="6.5" />
    <path d="m16 16 4.5 4.5" />
  </Icon>
)

export const PhotosIcon = (props: IconProps) => (
  <Icon {...props}>
    <rect x="3" y="6" width="15" height="15" rx="2.5" />
    <path d="M7 3h11a3 3 0 0 1 3 3v11M3 17l4-4 3.5 3.5L13 14l5 5" />
    <circle cx="13" cy="10.4" r="1.3" />
  </Icon>
)

export const FolderIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M3 7a2 2 0 0 1 2-2h4l2.4 2.5H19a2 2 0 0 1 2 2V17a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2Z" />
  </Icon>
)

export const CameraIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M4 8h3.2l1.6-2.6h6.4L16.8 8H20a1.5 1.5 0 0 1 1.5 1.5v8A1.5 1.5 0 0 1 20 19H4a1.5 1.5 0 0 1-1.5-1.5v-8A1.5 1.5 0 0 1 4 8Z" />
    <circle cx="12" cy="13" r="3.4" />
  </Icon>
)

export const LockIcon = (props: IconProps) => (
  <Icon {...props}>
    <rect x="5" y="11" width="14" height="9.5" rx="2" />
    <path d="M8 11V8a4 4 0 0 1 8 0v3m-4 4v2" />
  </Icon>
)

export const MailIcon = (props: IconProps) => (
  <Icon {...props}>
    <rect x="3" y="5.5" width="18" height="13.5" rx="2" />
    <path d="m4 7.5 8 6 8-6" />
  </Icon>
)

export const ChatIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M12 4a8 8 0 0 0-6.9 12L4 20l4.2-1A8 8 0 1 0 12 4Z" />
    <path d="M9 10.5h6m-6 3h3.5" />
  </Icon>
)

export const NetworkIcon = (props: IconProps) => (
  <Icon {...props}>
    <circle cx="12" cy="6" r="2.6" />
    <circle cx="5.5" cy="17.5" r="2.6" />
    <circle cx="18.5" cy="17.5" r="2.6" />
    <path d="m10.7 8.3-3.9 6.9m6.5-6.9 3.9 6.9M8.2 17.5h7.6" />
  </Icon>
)

export const CloudIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M7 18.5a4.5 4.5 0 0 1-.6-9A6 6 0 0 1 18 10.7a3.9 3.9 0 0 1-.5 7.8Z" />
  </Icon>
)

export const DownloadIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M12 4v11m0 0-4.5-4.5M12 15l4.5-4.5M5 20h14" />
  </Icon>
)

export const CopyIcon = (props: IconProps) => (
  <Icon {...props}>
    <rect x="8.5" y="8.5" width="12" height="12" rx="2" />
    <path d="M15.5 8.5V5.5a2 2 0 0 0-2-2h-8a2 2 0 0 0-2 2v8a2 2 0 0 0 2 2h3" />
  </Icon>
)

export const CheckIcon = (props: IconProps) => (
  <Icon {...props}>
    <circle cx="12" cy="12" r="9" />
    <path d="m8 12.3 2.8 2.8L16 9.6" />
  </Icon>
)

export const InfoIcon = (props: IconProps) => (
  <Icon {...props}>
    <circle cx="12" cy="12" r="9" />
    <path d="M12 11v5m0-8.2v.1" />
  </Icon>
)

export const CloseIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="m6 6 12 12M18 6 6 18" />
  </Icon>
)

export const ShareIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M12 14.5V3.5m0 0L8 7.5m4-4 4 4M7.5 11H6a1.5 1.5 0 0 0-1.5 1.5v6.5A1.5 1.5 0 0 0 6 20.5h12a1.5 1.5 0 0 0 1.5-1.5v-6.5A1.5 1.5 0 0 0 18 11h-1.5" />
  </Icon>
)

export const OpenIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M13.5 4H20v6.5M20 4l-8.5 8.5M18 14v4a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2h4" />
  </Icon>
)

export const ChevronIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="m9 4.5 7.5 7.5L9 19.5" />
  </Icon>
)

export const Spinner = ({ className = '' }: IconProps) => (
  <Icon className={`animate-spin ${className}`}>
    <path d="M12 3.5a8.5 8.5 0 1 0 8.5 8.5" />
  </Icon>
)

import type { ReactNode } from 'react'
import { Button, buttonLook } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ChatIcon, CopyIcon, LinkIcon, MailIcon, NetworkIcon } from '../../ui/icons.tsx'
import { toast } from '../../ui/toast-store.ts'
import { shareLinks } from './share-links.ts'

export interface ShareCardProps {
  displayName: string
  albumName: string
  password: string
  /** The owner also sees the password. */
  isOwner: boolean
}

export function ShareCard({ displayName, albumName, password, isOwner }: ShareCardProps) {
  const address = new URL(`/album/${encodeURIComponent(albumName)}`, window.location.href).href
  const links = shareLinks({ displayName, address, password })
  return (
    <Card aria-labelledby="share">
      <h2 id="share" className="text-heading font-semibold">
        Share This Album
      </h2>
      <p className="mt-1 text-ink-soft">Everyone in the photos can find themselves.</p>
      <div className="mt-5 grid grid-cols-3 gap-2">
        <ShareLink href={links.message} icon={<ChatIcon />} label="WhatsApp" />
        <ShareLink href={links.network} icon={<NetworkIcon />} label="LinkedIn" />
        <ShareLink href={links.email} icon={<MailIcon />} label="Email" />
      </div>
      <CopyLine icon={<LinkIcon />} name="link" value={address} />
      {isOwner && (
        <div className="mt-5 border-t border-line pt-5">
          <p className="font-medium">Album password</p>
          <p className="text-sm text-ink-soft">Only you see this. Guests need it to open the album.</p>
          <CopyLine name="password" value={password} />
        </div>
      )}
    </Card>
  )
}

function ShareLink({ href, icon, label }: { href: string; icon: ReactNode; label: string }) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      className={`${buttonLook('secondary')} flex-col gap-1! px-1! text-[0.8125rem]! font-medium!`}
    >
      {icon}
      {label}
    </a>
  )
}

function CopyLine({ icon, name, value }: { icon?: ReactNode; name: string; value: string }) {
  async function copy() {
    try {
      await navigator.clipboard.writeText(value)
      toast({ title: `Copied the ${name}`, tone: 'success' })
    } catch {
      // Without https, or without leave, a page may not write to the clipboard.
      toast({ title: `Could not copy the ${name}`, description: 'Please select and copy it by hand.' })
    }
  }
  return (
    <div className="mt-3 flex items-center gap-2.5 rounded-md bg-sunken py-1 pr-1 pl-3">
      {icon}
      <span className="min-w-0 grow truncate font-mono text-sm select-all" title={value}>
        {value}
      </span>
      <Button look="quiet" aria-label={`Copy ${name}`} onClick={copy} className="px-3! no-underline!">
        <CopyIcon />
      </Button>
    </div>
  )
}

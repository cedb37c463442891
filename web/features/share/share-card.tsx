import { lazy, type ReactNode, Suspense } from 'react'
import { copyLine } from '../../../src/texts/english/copy-line.ts'
import { shareLinks as linkTexts, shareCard as texts } from '../../../src/texts/english/organiser.ts'
import { albumAddress } from '../../lib/album-address.ts'
import { ChatIcon, LinkIcon, MailIcon, NetworkIcon, ShareIcon } from '../../ui/action-icons.tsx'
import { Button } from '../../ui/button.tsx'
import { buttonLook } from '../../ui/button-look.ts'
import { Card } from '../../ui/card.tsx'
import { CopyLine } from '../../ui/copy-line.tsx'

/** Nobody waits for it, so it comes after the rest of the page. */
const QrCode = lazy(() => import('./qr-code.tsx'))

export interface Shared {
  displayName: string
  /** The album page's whole address. */
  address: string
  password: string
}

export interface ShareCardProps {
  displayName: string
  albumName: string
  /** In the message of owners and guests: guests have typed it. */
  password: string
  /** Only the owner sees the password itself. */
  showsPassword: boolean
}

export default function ShareCard({ displayName, albumName, password, showsPassword }: ShareCardProps) {
  const address = albumAddress(albumName)
  const shared = { displayName, address, password }
  const links = shareLinks(shared)
  return (
    <Card aria-labelledby="share">
      <h2 id="share" className="text-heading font-semibold">
        {texts.title}
      </h2>
      <p className="mt-1 text-ink-soft">{texts.text}</p>
      <div className="mt-5 grid grid-cols-3 gap-2">
        <ShareLink href={links.message} icon={<ChatIcon />} label="WhatsApp" />
        <ShareLink href={links.network} icon={<NetworkIcon />} label="LinkedIn" />
        <ShareLink href={links.email} icon={<MailIcon />} label={texts.email} isTab={false} />
      </div>
      {typeof navigator.share === 'function' && (
        <Button
          look="secondary"
          className="mt-2 w-full not-pointer-coarse:hidden"
          onClick={() => shareBySheet(shared)}
        >
          <ShareIcon />
          {texts.moreWays}
        </Button>
      )}
      <CopyLine icon={<LinkIcon />} name={copyLine.link} value={address} />
      <div className="mt-5 flex items-center gap-4">
        <div className="size-32 shrink-0">
          <Suspense>
            <QrCode name={albumName} address={address} />
          </Suspense>
        </div>
        <p className="text-sm text-ink-soft">
          <span className="block font-medium text-ink">{texts.qrCode}</span>
          {texts.qrCodeText}
        </p>
      </div>
      {showsPassword && (
        <div className="mt-5 border-t border-line pt-5">
          <p className="font-medium">{texts.password}</p>
          <p className="text-sm text-ink-soft">{texts.passwordText}</p>
          <CopyLine name={texts.copiedPassword} value={password} />
        </div>
      )}
    </Card>
  )
}

interface ShareLinkProps {
  href: string
  icon: ReactNode
  label: string
  /** False where another program opens the link: a new tab would stay empty. */
  isTab?: boolean
}

function ShareLink({ href, icon, label, isTab = true }: ShareLinkProps) {
  return (
    <a
      href={href}
      {...(isTab && { target: '_blank', rel: 'noopener noreferrer' })}
      className={`${buttonLook('secondary')} flex-col gap-1! px-1! text-[0.8125rem]! font-medium!`}
    >
      {icon}
      {label}
    </a>
  )
}

/** Where the share buttons lead. The message has the album's name, its address and its password (§7). The professional
 *  network's link takes an address only, and a public post is no place for a password. */
export function shareLinks(shared: Shared): { message: string; network: string; email: string } {
  const text = shareText(shared)
  const subject = linkTexts.subject(shared.displayName)
  // RFC 6068 §5: a line break in a mail address is %0D%0A.
  const body = text.replaceAll('\n', '\r\n')
  return {
    message: `https://wa.me/?text=${encodeURIComponent(text)}`,
    network: `https://www.linkedin.com/sharing/share-offsite/?url=${encodeURIComponent(shared.address)}`,
    email: `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`,
  }
}

const shareText = ({ displayName, address, password }: Shared): string =>
  linkTexts.message(displayName, address, password)

/** Opens the phone's share sheet. The text holds everything, because some programs drop either text or address. A visitor who closes
 *  the sheet, or whose phone refuses it, has the other ways. */
const shareBySheet = (shared: Shared) =>
  navigator.share({ title: shared.displayName, text: shareText(shared) }).catch(() => {})

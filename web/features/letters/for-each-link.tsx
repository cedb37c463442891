import { useLocation } from '@tanstack/react-router'
import type { ComponentType } from 'react'

/** A page whose address has a token behind the `#`. When another link is pasted into its tab, the browser loads no new
 *  page, so this begins the page again. */
export function forEachLink(Page: ComponentType): ComponentType {
  return function EachLink() {
    const hash = useLocation({ select: (location) => location.hash })
    return <Page key={hash} />
  }
}
